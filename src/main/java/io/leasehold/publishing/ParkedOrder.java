package io.leasehold.publishing;

import io.leasehold.web.ExtensibleEnum;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An order that did not reach its cluster and waits for an operator.
 *
 * @param state PARKED; after a retry DUE, SENT once the cluster has accepted it
 * @param fault the last failure in words
 * @param updateTime when it was parked, or tried again
 */
@Schema(name = "ParkedOrder")
record ParkedOrder(
    UUID lease,
    @Schema(minimum = "1", maximum = "2147483647", example = "1") int generation,
    @ExtensibleEnum(of = ClusterOrder.Kind.class) @Schema(example = "PUBLISH") String kind,
    @Schema(example = "main") String pool,
    @Schema(example = "k8s-east") String cluster,
    @ExtensibleEnum(of = Delivery.State.class) @Schema(example = "PARKED") String state,
    @Schema(minimum = "0", maximum = "2147483647", example = "12") int failures,
    @Schema(example = "The cluster asks to try again later") @Nullable String fault,
    Instant createTime,
    Instant updateTime) {}
