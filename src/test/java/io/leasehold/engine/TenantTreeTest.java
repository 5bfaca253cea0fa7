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

  @Test
  void whatATenantUsesAndHasSetAsideMovesWithIt() {
    Story story = Story.of("h100", 8);
    story.facts(new Move.TenantSet(new Tenant("other", null, false)));
    long later = story.now + Time.DAY;
    story.reserves("vision", Story.AskMaker.whole(2), new Span(later, later + Time.HOUR));
    story.asks("vision", 3).at(later, later + Time.HOUR).lease();
    story.asks("nlp", 1).at(later, later + Time.HOUR).lease();
    story.facts(new Move.TenantSet(new Tenant("vision", "other", false)));
    Usage usage = story.book.usage();
    assertThat(usage.of("acme", "h100").at(later)).isEqualTo(1_000);
    assertThat(usage.of("other", "h100").at(later)).isEqualTo(5_000);
    assertThat(usage.of("vision", "h100").at(later)).isEqualTo(5_000);
    assertThat(Engine.audit(story.book)).isEmpty();
  }
}
