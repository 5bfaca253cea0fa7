package io.leasehold.tenancy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/** The tree of tenants, for the other features. Cached for a second. */
@Service
public class Tenants {

  private static final long KEPT = Duration.ofSeconds(1).toNanos();

  private final JdbcClient jdbc;
  private volatile @Nullable Tree tree;

  Tenants(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  private record Node(@Nullable String parent, boolean retired) {}

  private record Tree(Map<String, Node> nodes, long readAt) {}

  /** Retired ones included: their slug is taken for ever. */
  public boolean exists(String slug) {
    return nodes().containsKey(slug);
  }

  /** Gets nothing new, and its roles count no more. */
  public boolean isRetired(String slug) {
    Node node = nodes().get(slug);
    return node != null && node.retired();
  }

  /** The tenant itself first, then its parent, up to the root; empty if there is none. */
  public List<String> selfAndAncestors(String slug) {
    Map<String, Node> nodes = nodes();
    List<String> path = new ArrayList<>();
    String next = slug;
    while (next != null && nodes.get(next) instanceof Node node) {
      path.add(next);
      next = node.parent();
    }
    return path;
  }

  /** The next question reads the table again: something was written here. */
  void forget() {
    tree = null;
  }

  private Map<String, Node> nodes() {
    Tree known = tree;
    if (known == null || System.nanoTime() - known.readAt() > KEPT) {
      long readAt = System.nanoTime();
      Map<String, Node> nodes = new HashMap<>();
      jdbc.sql("select slug, parent, retired from tenant")
          .query(
              row -> {
                nodes.put(
                    row.getString("slug"),
                    new Node(row.getString("parent"), row.getBoolean("retired")));
              });
      known = new Tree(nodes, readAt);
      tree = known;
    }
    return known.nodes();
  }
}
