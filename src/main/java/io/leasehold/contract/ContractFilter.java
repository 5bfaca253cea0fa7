package io.leasehold.contract;

import org.jspecify.annotations.Nullable;

/** Which contracts are listed; a tenant covers its subtree. */
record ContractFilter(
    @Nullable String tenant, @Nullable String pool, @Nullable ContractState state) {}
