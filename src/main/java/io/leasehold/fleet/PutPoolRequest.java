package io.leasehold.fleet;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/** What is said about a pool. */
@Schema(
    example =
        """
        { "description": "Training" }
        """)
record PutPoolRequest(@Size(max = 1024) @Nullable String description) {

  String descriptionOrNone() {
    return description == null ? "" : description;
  }
}
