#include "textflag.h"

// func formBlocks(dst, src unsafe.Pointer, n, slack int, t *formTable) (stored, done int)
//
// The rows of t, 16 bytes each, by offset:
//   0 specials by their low nibble; 64 backslash; 80 last control;
//   96 low nibble; 112, 128, 144 tables; 160, 176 leads of 3 and 4 bytes;
//   192 high bit; 208 E2; 224 01; 240 A9; 256, 272 shifts;
//   288, 304 masks. The escapes begin at 320.
//
// SI and DI are where the next block comes from and goes to, R11 the end of
// the source, R10 the last place for a whole block, R12 the slack.
TEXT ·formBlocks(SB), NOSPLIT, $0-56
	MOVQ  dst+0(FP), DI
	MOVQ  src+8(FP), SI
	MOVQ  n+16(FP), R11
	MOVQ  slack+24(FP), R12
	MOVQ  t+32(FP), BX
	ADDQ  SI, R11
	LEAQ  -16(R11), R10
	MOVOU (BX), X8
	MOVOU 64(BX), X12
	MOVOU 80(BX), X13
	MOVOU 96(BX), X15

resume:
	PXOR X14, X14 // the block before
	XORL R9, R9   // which of its bytes are not ASCII

block:
	CMPQ  SI, R10
	JHI   tail
	MOVOU (SI), X0

check:
	MOVOU X0, (DI)

	// Is there anything that is escaped?
	MOVO     X8, X1
	PSHUFB   X0, X1
	PCMPEQB  X0, X1
	MOVO     X0, X3
	PCMPEQB  X12, X3
	MOVO     X0, X4
	PMINUB   X13, X4
	PCMPEQB  X0, X4
	POR      X3, X1
	POR      X4, X1
	PMOVMSKB X1, AX
	PMOVMSKB X0, DX
	ORL      DX, R9
	JNZ      multibyte
	TESTL    AX, AX
	JNZ      special

next:
	MOVO X0, X14
	MOVL DX, R9
	ADDQ $16, SI
	ADDQ $16, DI
	JMP  block

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
	PMOVMSKB X6, R8
	XORL     $0xFFFF, R8

	// Faults behind the first byte that is escaped do not count yet: a
	// character that it cuts off is a fault at that byte at the latest.
	LEAL  -1(AX), CX
	XORL  AX, CX
	TESTL R8, CX
	JNZ   fault
	TESTL AX, AX
	JZ    next

special:
	BSFL    AX, AX
	ADDQ    AX, SI
	ADDQ    AX, DI
	CMPQ    SI, R11
	JEQ     return       // the zeros behind the end
	MOVBLZX (SI), DX
	MOVQ    320(BX)(DX*8), R8
	MOVQ    R8, DX
	SHRQ    $56, DX
	SUBQ    DX, R12
	INCQ    R12
	JLT     return
	MOVQ    R8, (DI)
	ADDQ    DX, DI
	INCQ    SI
	JMP     resume

tail:
	// What is left is less than a block: take one that begins here, and let
	// zeros, which are marked as control characters, replace what is behind
	// the end. That must not be in another page, which may not be there;
	// near the end of one, take the block that ends with the source instead.
	MOVQ  R11, CX
	SUBQ  SI, CX
	JEQ   end
	LEAQ  272(BX), DX
	SUBQ  CX, DX
	MOVL  SI, AX
	ANDL  $0xFFF, AX
	CMPL  AX, $0xFF0
	JHI   pageEnd
	MOVOU (SI), X0
	MOVOU 32(DX), X1
	PAND  X1, X0
	JMP   check

pageEnd:
	MOVOU  (R10), X0
	MOVOU  (DX), X1
	PSHUFB X1, X0
	JMP    check

end:
	// Does the last block end inside a character? Zeros behind it show.
	TESTL R9, R9
	JZ    return
	PXOR  X0, X0
	JMP   check

fault:
	// Of these zeros? Then the block in front of them is not done.
	CMPQ SI, R11
	JNE  return
	SUBQ $16, SI
	SUBQ $16, DI

return:
	SUBQ dst+0(FP), DI
	SUBQ src+8(FP), SI
	MOVQ DI, stored+40(FP)
	MOVQ SI, done+48(FP)
	RET

// func cpuidFeatures() uint32
TEXT ·cpuidFeatures(SB), NOSPLIT, $0-4
	MOVL  $1, AX
	XORL  CX, CX
	CPUID
	MOVL  CX, ret+0(FP)
	RET
