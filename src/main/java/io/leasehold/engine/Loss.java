package io.leasehold.engine;

/**
 * What broken hardware takes of a tenant's promises of a model, in thousandths of GPUs.
 *
 * @param guaranteed of its guarantee, that of the tenants below it included
 * @param borrowed of what it has beyond its own guarantee
 */
public record Loss(String tenant, long guaranteed, long borrowed) {}
