package sftp

// Version 3 of the protocol, draft-ietf-secsh-filexfer-02, is the one that servers speak.
const protocolVersion = 3

// Packet types.
const (
	typeInit          = 1
	typeVersion       = 2
	typeOpen          = 3
	typeClose         = 4
	typeRead          = 5
	typeWrite         = 6
	typeLstat         = 7
	typeFstat         = 8
	typeSetstat       = 9
	typeFsetstat      = 10
	typeOpendir       = 11
	typeReaddir       = 12
	typeRemove        = 13
	typeMkdir         = 14
	typeRmdir         = 15
	typeRealpath      = 16
	typeStat          = 17
	typeRename        = 18
	typeReadlink      = 19
	typeSymlink       = 20
	typeStatus        = 101
	typeHandle        = 102
	typeData          = 103
	typeName          = 104
	typeAttrs         = 105
	typeExtended      = 200
	typeExtendedReply = 201
)

// Flags of OPEN.
const (
	openRead   = 0x01
	openWrite  = 0x02
	openAppend = 0x04
	openCreate = 0x08
	openTrunc  = 0x10
	openExcl   = 0x20
)

// Which attributes follow in an ATTRS structure.
const (
	attrSize        = 0x01
	attrUIDGID      = 0x02
	attrPermissions = 0x04
	attrTimes       = 0x08
	attrExtended    = 0x80000000
)

// Codes of STATUS. Those from 9 on belong to later versions, and are sent by servers all the same.
const (
	statusOK               = 0
	statusEOF              = 1
	statusNoSuchFile       = 2
	statusPermissionDenied = 3
	statusFailure          = 4
	statusBadMessage       = 5
	statusNoConnection     = 6
	statusConnectionLost   = 7
	statusUnsupported      = 8
	statusNoSuchPath       = 10
	statusFileExists       = 11
	statusWriteProtect     = 12
)

// Names of extensions.
const (
	extLimits      = "limits@openssh.com"
	extPosixRename = "posix-rename@openssh.com"
	extStatVFS     = "statvfs@openssh.com"
	extFstatVFS    = "fstatvfs@openssh.com"
	extHardlink    = "hardlink@openssh.com"
	extFsync       = "fsync@openssh.com"
	extLsetstat    = "lsetstat@openssh.com"
	extExpandPath  = "expand-path@openssh.com"
	extCopyData    = "copy-data"
	extHome        = "home-directory"
	extUsersGroups = "users-groups-by-id@openssh.com"
)

func packetName(t byte) string {
	switch t {
	case typeInit:
		return "INIT"
	case typeVersion:
		return "VERSION"
	case typeOpen:
		return "OPEN"
	case typeClose:
		return "CLOSE"
	case typeRead:
		return "READ"
	case typeWrite:
		return "WRITE"
	case typeLstat:
		return "LSTAT"
	case typeFstat:
		return "FSTAT"
	case typeSetstat:
		return "SETSTAT"
	case typeFsetstat:
		return "FSETSTAT"
	case typeOpendir:
		return "OPENDIR"
	case typeReaddir:
		return "READDIR"
	case typeRemove:
		return "REMOVE"
	case typeMkdir:
		return "MKDIR"
	case typeRmdir:
		return "RMDIR"
	case typeRealpath:
		return "REALPATH"
	case typeStat:
		return "STAT"
	case typeRename:
		return "RENAME"
	case typeReadlink:
		return "READLINK"
	case typeSymlink:
		return "SYMLINK"
	case typeStatus:
		return "STATUS"
	case typeHandle:
		return "HANDLE"
	case typeData:
		return "DATA"
	case typeName:
		return "NAME"
	case typeAttrs:
		return "ATTRS"
	case typeExtended:
		return "EXTENDED"
	case typeExtendedReply:
		return "EXTENDED_REPLY"
	}
	return "packet of unknown type"
}
