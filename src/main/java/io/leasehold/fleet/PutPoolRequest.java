package io.leasehold.fleet;

import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/** What is said about a pool. */
record PutPoolRequest(@Size(max = 1024) @Nullable String description) {

  String descriptionOrNone() {
    return description == null ? "" : description;
  }
}
