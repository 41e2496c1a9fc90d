package interop

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// dumpValue writes everything in v, unexported fields as well: nil and empty
// differ, and the keys of maps are sorted.
func dumpValue(b *bytes.Buffer, v reflect.Value) {
	if v.IsValid() && v.Type() == timeType && v.CanInterface() {
		b.WriteString(v.Interface().(time.Time).Format(time.RFC3339Nano))
		return
	}
	switch v.Kind() {
	case reflect.Invalid:
		b.WriteString("nil")
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		if v.Kind() == reflect.Pointer {
			b.WriteByte('&')
		} else {
			fmt.Fprintf(b, "%s ", v.Elem().Kind())
		}
		dumpValue(b, v.Elem())
	case reflect.Struct:
		b.WriteByte('{')
		for i := range v.NumField() {
			fmt.Fprintf(b, " %s:", v.Type().Field(i).Name)
			dumpValue(b, v.Field(i))
		}
		b.WriteByte('}')
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			b.WriteString("nil")
			return
		}
		if v.Type().Elem().Kind() == reflect.Uint8 {
			var raw []byte
			for i := range v.Len() {
				raw = append(raw, byte(v.Index(i).Uint()))
			}
			fmt.Fprintf(b, "%q", raw)
			return
		}
		b.WriteByte('[')
		for i := range v.Len() {
			b.WriteByte(' ')
			dumpValue(b, v.Index(i))
		}
		b.WriteByte(']')
	case reflect.Map:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		var entries []string
		for _, key := range v.MapKeys() {
			var e bytes.Buffer
			dumpValue(&e, key)
			e.WriteByte(':')
			dumpValue(&e, v.MapIndex(key))
			entries = append(entries, e.String())
		}
		slices.Sort(entries)
		fmt.Fprintf(b, "map[%s]", strings.Join(entries, " "))
	case reflect.String:
		fmt.Fprintf(b, "%q", v.String())
	case reflect.Bool:
		fmt.Fprint(b, v.Bool())
	case reflect.Float32, reflect.Float64:
		fmt.Fprint(b, v.Float())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		fmt.Fprint(b, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		fmt.Fprint(b, v.Uint())
	default:
		fmt.Fprintf(b, "?%s", v.Kind())
	}
}
