package io.leasehold.lease;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a merge patch of a lease may hold; for the document, {@link LeasePatch} reads it. */
@Schema(
    name = "PatchLeaseRequest",
    description = "A merge patch (RFC 7396): null removes.",
    example = "{\"labels\": {\"project\": \"resnet\"}}")
record PatchLeaseRequest(
    @Schema(maxLength = 128) @Nullable String name,
    @Nullable Map<String, String> labels,
    @Nullable Map<String, String> annotations,
    @Nullable List<String> notifyBefore) {}
