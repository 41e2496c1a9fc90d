package rootio

// Types of members, as TVirtualStreamerInfo::EReadWrite has them.
const (
	typChar       = 1
	typShort      = 2
	typInt        = 3
	typLong       = 4 // always eight bytes in a file
	typFloat      = 5
	typCounter    = 6
	typCharStar   = 7
	typDouble     = 8
	typDouble32   = 9
	typLegacyChar = 10
	typUChar      = 11
	typUShort     = 12
	typUInt       = 13
	typULong      = 14
	typBits       = 15
	typLong64     = 16
	typULong64    = 17
	typBool       = 18
	typFloat16    = 19

	typOffsetL = 20 // added for an array of fixed size
	typOffsetP = 40 // added for an array that another member counts

	typObject    = 61
	typAny       = 62
	typObjectp   = 63 // a pointer that is never null
	typObjectP   = 64 // a pointer
	typString    = 65 // TString
	typTObject   = 66
	typNamed     = 67
	typAnyp      = 68
	typAnyP      = 69
	typSTL       = 300
	typSTLString = 365
	typStreamer  = 500
)

// sizeOf returns how many bytes a number takes in a file; zero for those that
// are not of one size, and for what is no number.
func sizeOf(typ int) int {
	switch typ {
	case typChar, typLegacyChar, typUChar, typBool:
		return 1
	case typShort, typUShort:
		return 2
	case typInt, typUInt, typCounter, typFloat, typBits:
		return 4
	case typLong, typULong, typLong64, typULong64, typDouble:
		return 8
	}
	return 0
}
