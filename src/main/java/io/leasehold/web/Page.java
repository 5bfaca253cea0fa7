package io.leasehold.web;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list. A page may be short; only an absent token means the end.
 *
 * @param nextPageToken opaque; valid with the same filters only
 */
public record Page<T>(List<T> items, @Nullable String nextPageToken) {

  public Page {
    items = List.copyOf(items);
  }
}
