package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Who is above whom. */
class TenantTreeTest {

  private final Undo undo = new Undo();
  private final TenantTree tree = new TenantTree(undo);

  private void set(String slug, String parent) {
    tree.set(new Tenant(slug, parent, false));
  }

  @Test
  void aPathLeadsUpToTheRoot() {
    set("acme", null);
    set("vision", "acme");
    set("lidar", "vision");
    assertThat(tree.path("lidar")).containsExactly("lidar", "vision", "acme");
    assertThat(tree.children("acme")).containsExactly("vision");
    assertThat(tree.roots()).containsExactly("acme");
  }

  @Test
  void aPathFollowsATenantThatMovesThereAndBack() {
    set("acme", null);
    set("other", null);
    set("vision", "acme");
    assertThat(tree.path("vision")).containsExactly("vision", "acme");
    int mark = undo.mark();
    set("vision", "other");
    assertThat(tree.path("vision")).containsExactly("vision", "other");
    undo.back(mark);
    assertThat(tree.path("vision")).containsExactly("vision", "acme");
  }

  @Test
  void aRingEnds() {
    set("one", "two");
    set("two", "one");
    assertThat(tree.path("one")).hasSize(32).startsWith("one", "two", "one");
  }
}
