package io.leasehold.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeyTextTest {

  @Test
  void anyMistypedCharacterIsFoundWithoutALookUp() {
    KeyText key = KeyText.random(KeyText.LIVE);
    assertThat(KeyText.parse(key.text())).contains(key);
    for (int i = 0; i < key.text().length(); i++) {
      char other = key.text().charAt(i) == 'x' ? 'y' : 'x';
      String wrong = key.text().substring(0, i) + other + key.text().substring(i + 1);
      assertThat(KeyText.parse(wrong)).as(wrong).isEmpty();
    }
    assertThat(KeyText.parse(key.text() + "0")).isEmpty();
    assertThat(KeyText.parse("")).isEmpty();
  }

  @Test
  void aKeyIsLongEnoughAndNeverPrintsItsSecret() {
    KeyText key = KeyText.random(KeyText.DEV);
    assertThat(key.text()).matches("lh_dev_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}");
    assertThat(key.toString()).doesNotContain(key.text().substring(20));
    assertThat(KeyText.random(KeyText.DEV).text()).isNotEqualTo(key.text());
  }
}
