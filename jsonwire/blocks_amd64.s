#include "textflag.h"

// func copyBlocks(dst, src unsafe.Pointer, n int, c *blockConstants) int
//
// The rows of c, 16 bytes each, by offset:
//   0 1st: or, 16 equals; 32 2nd: or, 48 equals; 64 backslash; 80 last control;
//   96 low nibble; 112, 128, 144 tables; 160, 176 leads of 3 and 4 bytes;
//   192 high bit; 208 E2; 224 01; 240 A9
TEXT ·copyBlocks(SB), NOSPLIT, $0-40
	MOVQ  dst+0(FP), DI
	MOVQ  src+8(FP), SI
	MOVQ  n+16(FP), CX
	MOVQ  c+24(FP), BX
	MOVOU (BX), X8
	MOVOU 16(BX), X9
	MOVOU 32(BX), X10
	MOVOU 48(BX), X11
	MOVOU 64(BX), X12
	MOVOU 80(BX), X13
	MOVOU 96(BX), X15
	PXOR  X14, X14      // the block before
	XORL  R9, R9        // which of its bytes are not ASCII
	XORL  R8, R8
	SUBQ  $16, CX

	MOVQ  $-1, R10      // where the last, overlapping block began, if it did

block:
	CMPQ  R8, CX
	JGT   last

next:
	MOVOU (SI)(R8*1), X0
	MOVOU X0, (DI)(R8*1)

	// Is there anything that is escaped?
	MOVO     X0, X1
	POR      X8, X1
	PCMPEQB  X9, X1
	MOVO     X0, X2
	POR      X10, X2
	PCMPEQB  X11, X2
	MOVO     X0, X3
	PCMPEQB  X12, X3
	MOVO     X0, X4
	PMINUB   X13, X4
	PCMPEQB  X0, X4
	POR      X2, X1
	POR      X4, X3
	POR      X3, X1
	PMOVMSKB X1, AX
	TESTL    AX, AX
	JNZ      done
	PMOVMSKB X0, DX
	ORL      DX, R9
	JNZ      multibyte
	MOVO     X0, X14
	ADDQ     $16, R8
	JMP      block

multibyte:
	// The bytes one, two and three in front of each.
	MOVO    X0, X2
	PALIGNR $15, X14, X2
	MOVO    X0, X3
	PALIGNR $14, X14, X3
	MOVO    X0, X4
	PALIGNR $13, X14, X4

	// Each table gives the faults that a nibble is consistent with; a fault
	// is there if all three agree.
	MOVO   X2, X5
	PSRLW  $4, X5
	PAND   X15, X5
	MOVOU  112(BX), X6
	PSHUFB X5, X6
	MOVO   X2, X5
	PAND   X15, X5
	MOVOU  128(BX), X7
	PSHUFB X5, X7
	PAND   X7, X6
	MOVO   X0, X5
	PSRLW  $4, X5
	PAND   X15, X5
	MOVOU  144(BX), X7
	PSHUFB X5, X7
	PAND   X7, X6

	// Two continuation bytes in a row are none if a lead of three or four
	// bytes stands two or three bytes in front, and only then.
	MOVO    X3, X5
	MOVOU   160(BX), X7
	PSUBUSB X7, X5
	MOVOU   176(BX), X7
	PSUBUSB X7, X4
	POR     X4, X5
	MOVOU   192(BX), X7
	PAND    X7, X5
	PXOR    X5, X6

	// U+2028 and U+2029.
	PCMPEQB X7, X2
	MOVOU   208(BX), X7
	PCMPEQB X7, X3
	PAND    X2, X3
	MOVOU   224(BX), X5
	POR     X0, X5
	MOVOU   240(BX), X7
	PCMPEQB X7, X5
	PAND    X5, X3
	POR     X3, X6

	PXOR     X5, X5
	PCMPEQB  X5, X6
	PMOVMSKB X6, AX
	CMPL     AX, $0xFFFF
	JNE      done
	MOVO     X0, X14
	MOVL     DX, R9
	ADDQ     $16, R8
	JMP      block

last:
	// What is left is less than a block: take the last 16 bytes, of which
	// some have been copied, with the 16 in front of them, if there are. They
	// are checked as if they were not ASCII.
	LEAQ  16(CX), AX
	CMPQ  R8, AX
	JEQ   return
	CMPQ  CX, $16
	JLT   return
	MOVQ  R8, R10
	MOVQ  CX, R8
	MOVOU -16(SI)(R8*1), X14
	MOVL  $1, R9
	JMP   next

done:
	// In the overlapping block? Then what was in front of it counts.
	CMPQ    R10, $0
	CMOVQGE R10, R8

return:
	MOVQ R8, ret+32(FP)
	RET

// func cpuidFeatures() uint32
TEXT ·cpuidFeatures(SB), NOSPLIT, $0-4
	MOVL  $1, AX
	XORL  CX, CX
	CPUID
	MOVL  CX, ret+0(FP)
	RET
