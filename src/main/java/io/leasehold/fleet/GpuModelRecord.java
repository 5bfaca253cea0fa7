package io.leasehold.fleet;

import io.leasehold.engine.GpuModel;

/** A GPU model as its row has it. */
record GpuModelRecord(GpuModel model, long revision) {}
