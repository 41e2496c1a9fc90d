// Package compress holds tests of the module compress beside peers that it
// does not require: ulikunitz/xz for xz.
package compress
