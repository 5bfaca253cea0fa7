package io.leasehold.contract;

import io.leasehold.engine.ServiceClass;
import java.time.Instant;

/** A service class as its row has it. */
record ClassRecord(
    ServiceClass serviceClass, long revision, Instant createTime, Instant updateTime) {}
