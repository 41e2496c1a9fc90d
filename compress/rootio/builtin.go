package rootio

import (
	"strings"
	"sync"
)

// descriptions of the classes that trees are made of, for files that do not
// hold their own. A base begins with @; a member is name:type, where the type
// is a letter, or a class, and * stands for pointers:
//
//	b bool  c char  h short  i int  l long64  f float  d double  B H I L unsigned
//	s TString  i*fN  an array that member fN counts
var descriptions = map[string]string{
	"TNamed 1":     "@TObject fName:s fTitle:s",
	"TAttLine 1":   "fLineColor:h fLineStyle:h fLineWidth:h",
	"TAttLine 2":   "fLineColor:h fLineStyle:h fLineWidth:h",
	"TAttFill 1":   "fFillColor:h fFillStyle:h",
	"TAttFill 2":   "fFillColor:h fFillStyle:h",
	"TAttMarker 1": "fMarkerColor:h fMarkerStyle:h fMarkerSize:f",
	"TAttMarker 2": "fMarkerColor:h fMarkerStyle:h fMarkerSize:f",
	"TAttMarker 3": "fMarkerColor:h fMarkerStyle:h fMarkerSize:f",

	"ROOT::TIOFeatures 1": "fIOBits:B",

	"TTree 16": treeHead + "fEntries:l fTotBytes:l fZipBytes:l fSavedBytes:l fWeight:d fTimerInterval:i fScanField:i fUpdate:i " +
		"fMaxEntries:l fMaxEntryLoop:l fMaxVirtualSize:l fAutoSave:l fEstimate:l " + treeTail,
	"TTree 17": treeHead + "fEntries:l fTotBytes:l fZipBytes:l fSavedBytes:l fWeight:d fTimerInterval:i fScanField:i fUpdate:i " +
		"fDefaultEntryOffsetLen:i fMaxEntries:l fMaxEntryLoop:l fMaxVirtualSize:l fAutoSave:l fEstimate:l " + treeTail,
	"TTree 18": treeHead + "fEntries:l fTotBytes:l fZipBytes:l fSavedBytes:l fFlushedBytes:l fWeight:d fTimerInterval:i fScanField:i " +
		"fUpdate:i fDefaultEntryOffsetLen:i fMaxEntries:l fMaxEntryLoop:l fMaxVirtualSize:l fAutoSave:l fAutoFlush:l fEstimate:l " + treeTail,
	"TTree 19": treeHead + "fEntries:l fTotBytes:l fZipBytes:l fSavedBytes:l fFlushedBytes:l fWeight:d fTimerInterval:i fScanField:i " +
		"fUpdate:i fDefaultEntryOffsetLen:i fNClusterRange:i fMaxEntries:l fMaxEntryLoop:l fMaxVirtualSize:l fAutoSave:l fAutoFlush:l " +
		"fEstimate:l fClusterRangeEnd:l*fNClusterRange fClusterSize:l*fNClusterRange " + treeTail,
	"TTree 20": treeHead + "fEntries:l fTotBytes:l fZipBytes:l fSavedBytes:l fFlushedBytes:l fWeight:d fTimerInterval:i fScanField:i " +
		"fUpdate:i fDefaultEntryOffsetLen:i fNClusterRange:i fMaxEntries:l fMaxEntryLoop:l fMaxVirtualSize:l fAutoSave:l fAutoFlush:l " +
		"fEstimate:l fClusterRangeEnd:l*fNClusterRange fClusterSize:l*fNClusterRange fIOFeatures:ROOT::TIOFeatures " + treeTail,
	"TNtuple 2":  "@TTree fNvar:i",
	"TNtupleD 1": "@TTree fNvar:i",

	"TBranch 10": branchHead + "fOffset:i fMaxBaskets:i fSplitLevel:i fEntries:l fTotBytes:l fZipBytes:l " + branchTail,
	"TBranch 11": branchHead + "fOffset:i fMaxBaskets:i fSplitLevel:i fEntries:l fFirstEntry:l fTotBytes:l fZipBytes:l " + branchTail,
	"TBranch 12": branchHead + "fOffset:i fMaxBaskets:i fSplitLevel:i fEntries:l fFirstEntry:l fTotBytes:l fZipBytes:l " + branchTail,
	"TBranch 13": branchHead + "fIOFeatures:ROOT::TIOFeatures fOffset:i fMaxBaskets:I fSplitLevel:i fEntries:l fFirstEntry:l " +
		"fTotBytes:l fZipBytes:l " + branchTail,
	"TBranchElement 8": "@TBranch fClassName:s fParentName:s fClonesName:s fCheckSum:I fClassVersion:i fID:i fType:i fStreamerType:i " +
		"fMaximum:i fBranchCount:TBranchElement* fBranchCount2:TBranchElement*",
	"TBranchElement 9": "@TBranch fClassName:s fParentName:s fClonesName:s fCheckSum:I fClassVersion:i fID:i fType:i fStreamerType:i " +
		"fMaximum:i fBranchCount:TBranchElement* fBranchCount2:TBranchElement*",
	"TBranchElement 10": "@TBranch fClassName:s fParentName:s fClonesName:s fCheckSum:I fClassVersion:h fID:i fType:i fStreamerType:i " +
		"fMaximum:i fBranchCount:TBranchElement* fBranchCount2:TBranchElement*",
	"TBranchObject 1": "@TBranch fClassName:s",
	"TBranchRef 1":    "@TBranch fRefTable:TRefTable*",

	"TLeaf 2":        "@TNamed fLen:i fLenType:i fOffset:i fIsRange:b fIsUnsigned:b fLeafCount:TLeaf*",
	"TLeafO 1":       "@TLeaf fMinimum:b fMaximum:b",
	"TLeafB 1":       "@TLeaf fMinimum:c fMaximum:c",
	"TLeafS 1":       "@TLeaf fMinimum:h fMaximum:h",
	"TLeafI 1":       "@TLeaf fMinimum:i fMaximum:i",
	"TLeafL 1":       "@TLeaf fMinimum:l fMaximum:l",
	"TLeafG 1":       "@TLeaf fMinimum:l fMaximum:l",
	"TLeafF 1":       "@TLeaf fMinimum:f fMaximum:f",
	"TLeafD 1":       "@TLeaf fMinimum:d fMaximum:d",
	"TLeafF16 1":     "@TLeaf fMinimum:f fMaximum:f",
	"TLeafD32 1":     "@TLeaf fMinimum:d fMaximum:d",
	"TLeafC 1":       "@TLeaf fMinimum:i fMaximum:i",
	"TLeafElement 1": "@TLeaf fID:i fType:i",
	"TLeafObject 4":  "@TLeaf fVirtual:b",
}

const (
	treeHead = "@TNamed @TAttLine @TAttFill @TAttMarker "
	treeTail = "fBranches:TObjArray fLeaves:TObjArray fAliases:TList* fIndexValues:TArrayD fIndex:TArrayI " +
		"fTreeIndex:TVirtualIndex* fFriends:TList* fUserInfo:TList* fBranchRef:TBranchRef*"
	branchHead = "@TNamed @TAttFill fCompress:i fBasketSize:i fEntryOffsetLen:i fWriteBasket:i fEntryNumber:l "
	branchTail = "fBranches:TObjArray fLeaves:TObjArray fBaskets:TObjArray fBasketBytes:i*fMaxBaskets fBasketEntry:l*fMaxBaskets " +
		"fBasketSeek:l*fMaxBaskets fFileName:s"
)

var letters = map[string]int{
	"b": typBool, "c": typChar, "h": typShort, "i": typInt, "l": typLong64, "f": typFloat, "d": typDouble,
	"B": typUChar, "H": typUShort, "I": typUInt, "L": typULong64, "s": typString,
}

var builtins = sync.OnceValue(func() *infos {
	s := new(infos)
	for head, text := range descriptions {
		class, version, _ := strings.Cut(head, " ")
		in := &info{class: class}
		for _, c := range version {
			in.version = 10*in.version + int(c-'0')
		}
		for word := range strings.FieldsSeq(text) {
			in.elements = append(in.elements, parseElement(word))
		}
		s.add(in)
	}
	return s
})

func parseElement(word string) *element {
	if base, ok := strings.CutPrefix(word, "@"); ok {
		return &element{name: base, base: true, typ: 0}
	}
	// The last colon may be of a class's scope.
	i := strings.IndexByte(word, ':')
	name, typ := word[:i], word[i+1:]
	e := &element{name: name, typeName: typ}
	if t, ok := letters[typ]; ok {
		e.typ = t
		return e
	}
	if letter, count, ok := strings.Cut(typ, "*"); ok && count != "" {
		e.typ, e.count = letters[letter]+typOffsetP, count
		return e
	}
	e.typ = typAny
	if strings.HasSuffix(typ, "*") {
		e.typ = typObjectP
	}
	return e
}

// builtin returns the description of a class that this package knows.
func builtin(class string, version int) *info {
	return builtins().byVersion[classVersion{class, version}]
}
