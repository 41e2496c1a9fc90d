//go:build !purego

#include "textflag.h"

// func shuffle(p *byte, n int, order *[16]byte)
TEXT ·shuffle(SB), NOSPLIT, $0-24
	MOVQ  p+0(FP), SI
	MOVQ  n+8(FP), CX
	MOVQ  order+16(FP), DX
	MOVOU (DX), X4

loop:
	MOVOU  (SI), X0
	MOVOU  16(SI), X1
	MOVOU  32(SI), X2
	MOVOU  48(SI), X3
	PSHUFB X4, X0
	PSHUFB X4, X1
	PSHUFB X4, X2
	PSHUFB X4, X3
	MOVOU  X0, (SI)
	MOVOU  X1, 16(SI)
	MOVOU  X2, 32(SI)
	MOVOU  X3, 48(SI)
	ADDQ   $64, SI
	SUBQ   $64, CX
	JNE    loop
	RET

// func cpuidFeatures() uint32
TEXT ·cpuidFeatures(SB), NOSPLIT, $0-4
	MOVL $1, AX
	XORL CX, CX
	CPUID
	MOVL CX, ret+0(FP)
	RET
