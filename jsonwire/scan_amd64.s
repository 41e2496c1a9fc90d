#include "textflag.h"

// func scanBlocks(src unsafe.Pointer, n int, c *blockConstants) int
//
// The rows of c that are used, 16 bytes each, by offset: 16 quote; 64 backslash;
// 80 last control; 96 low nibble; 112, 128, 144 tables; 160, 176 leads of 3 and
// 4 bytes; 192 high bit
TEXT ·scanBlocks(SB), NOSPLIT, $0-32
	MOVQ  src+0(FP), SI
	MOVQ  n+8(FP), CX
	MOVQ  c+16(FP), BX
	MOVOU 16(BX), X9
	MOVOU 64(BX), X12
	MOVOU 80(BX), X13
	MOVOU 96(BX), X15
	PXOR  X14, X14      // the block before
	XORL  R9, R9        // which of its bytes are not ASCII
	XORL  R8, R8
	SUBQ  $16, CX

block:
	CMPQ  R8, CX
	JGT   done
	MOVOU (SI)(R8*1), X0

	// A quote, a backslash or a control character?
	MOVO     X0, X1
	PCMPEQB  X9, X1
	MOVO     X0, X3
	PCMPEQB  X12, X3
	MOVO     X0, X4
	PMINUB   X13, X4
	PCMPEQB  X0, X4
	POR      X3, X1
	POR      X4, X1
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

	// What two bytes show: the faults that all three nibbles agree on.
	MOVO   X2, X5
	PSRLW  $4, X5
	PAND   X15, X5
	MOVOU  112(BX), X6
	PSHUFB X5, X6
	PAND   X15, X2
	MOVOU  128(BX), X7
	PSHUFB X2, X7
	PAND   X7, X6
	MOVO   X0, X5
	PSRLW  $4, X5
	PAND   X15, X5
	MOVOU  144(BX), X7
	PSHUFB X5, X7
	PAND   X7, X6

	// Two continuations in a row have to have a lead of three or four bytes
	// two or three bytes in front.
	MOVOU   160(BX), X7
	PSUBUSB X7, X3
	MOVOU   176(BX), X7
	PSUBUSB X7, X4
	POR     X4, X3
	MOVOU   192(BX), X7
	PAND    X7, X3
	PXOR    X3, X6

	PXOR     X5, X5
	PCMPEQB  X5, X6
	PMOVMSKB X6, AX
	CMPL     AX, $0xFFFF
	JNE      done
	MOVO     X0, X14
	MOVL     DX, R9
	ADDQ     $16, R8
	JMP      block

done:
	MOVQ R8, ret+24(FP)
	RET
