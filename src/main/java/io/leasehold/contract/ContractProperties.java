package io.leasehold.contract;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * How contracts are handled.
 *
 * @param authorMaySign whether an author may sign the own draft: for the sample only
 */
@ConfigurationProperties("leasehold.contract")
record ContractProperties(boolean authorMaySign) {}
