package io.leasehold.fleet;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/** A pool to create. */
@Schema(
    example =
        """
        { "slug": "north", "description": "Machines in the north" }
        """)
record CreatePoolRequest(
    @NotNull
        @Pattern(regexp = Slug.PATTERN, message = Slug.RULE)
        @Schema(example = "north", description = "Never used again for another pool")
        String slug,
    @Size(max = 1024) @Nullable String description) {

  String descriptionOrNone() {
    return description == null ? "" : description;
  }
}
