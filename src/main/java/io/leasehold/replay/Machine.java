package io.leasehold.replay;

/** A node of an openb list. CPU in thousandths of a core, memory in MiB. */
record Machine(String name, long cpuMilli, long memoryMiB, int gpus, String model) {}
