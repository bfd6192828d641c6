// hold_sse, hold_avx, hold_avx512: see main.c. The first argument's layout is struct registers there.

.set vector, 0    // 32 of 64 bytes: zmm; ymm and xmm are their lower parts
.set mask, 2048   // 8 of 8 bytes: k
.set stack, 2112  // 8 of 8 bytes: x87
.set mxcsr, 2176

.macro load_sse
  .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    movdqu vector+64*\i(%rbx), %xmm\i
  .endr
.endm
.macro store_sse
  .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    movdqu %xmm\i, vector+64*\i(%rbx)
  .endr
.endm

.macro load_avx
  .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    vmovdqu vector+64*\i(%rbx), %ymm\i
  .endr
.endm
.macro store_avx
  .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    vmovdqu %ymm\i, vector+64*\i(%rbx)
  .endr
  vzeroupper
.endm

.macro load_avx512
  .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    vmovdqu64 vector+64*\i(%rbx), %zmm\i
  .endr
  .irp i, 0,1,2,3,4,5,6,7
    kmovq mask+8*\i(%rbx), %k\i
  .endr
.endm
.macro store_avx512
  .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    vmovdqu64 %zmm\i, vector+64*\i(%rbx)
  .endr
  .irp i, 0,1,2,3,4,5,6,7
    kmovq %k\i, mask+8*\i(%rbx)
  .endr
  vzeroupper
.endm

.macro hold kind
.globl hold_\kind
.type hold_\kind, @function
hold_\kind:
  push %rbx
  push %r12
  push %r13
  push %r14
  sub $8, %rsp
  mov %rdi, %rbx
  mov %rsi, %r12
  mov %rdx, %r13
  stmxcsr (%rsp)
  fninit
  .irp i, 7,6,5,4,3,2,1,0
    fldl stack+8*\i(%rbx)
  .endr
  ldmxcsr mxcsr(%rbx)
  load_\kind
0:
  test %r13, %r13
  jz 2f
  mov $28, %eax // madvise(page, 4096, MADV_DONTNEED): the next access to it is a page fault
  mov %r12, %rdi
  mov $4096, %esi
  mov $4, %edx
  syscall
  movb $1, (%r12)
  mov $50000, %r14d
1:
  dec %r14d
  jnz 1b
  dec %r13
  jmp 0b
2:
  stmxcsr mxcsr(%rbx)
  .irp i, 0,1,2,3,4,5,6,7
    fstpl stack+8*\i(%rbx)
  .endr
  store_\kind
  ldmxcsr (%rsp)
  add $8, %rsp
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  ret
.size hold_\kind, . - hold_\kind
.endm

.text
hold sse
hold avx
hold avx512
.section .note.GNU-stack, "", @progbits
