package io.strowger.providers.translate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

/** Tests that any name can be written for an upstream and read back. */
class SafeNamesProperties {

  @Property
  void safeNamesAreValidDistinctAndReversible(@ForAll("names") List<String> names) {
    var safe = new SafeNames();
    Map<String, String> originals = new HashMap<>();
    for (String name : names) {
      String written = safe.toSafe(name);
      assertThat(written).matches("[A-Za-z0-9_-]{1,64}").isEqualTo(safe.toSafe(name));
      assertThat(originals.getOrDefault(written, name)).isEqualTo(name);
      originals.put(written, name);
    }
    originals.forEach((written, name) -> assertThat(safe.toOriginal(written)).isEqualTo(name));
  }

  @Example
  @Label("a safe name stays unchanged, and a name that was never written is read unchanged")
  void safeNamesStay() {
    var safe = new SafeNames();
    assertThat(safe.toSafe("get_weather-2")).isEqualTo("get_weather-2");
    assertThat(safe.toSafe("a.b:c")).isEqualTo("a_x2eb_x3ac");
    assertThat(safe.toSafe("a_x2eb")).isEqualTo("a_x5fx2eb");
    assertThat(safe.toSafe("")).isNotEqualTo(safe.toSafe("_x")).isNotEqualTo(safe.toSafe("_xff"));
    assertThat(safe.toOriginal("never")).isEqualTo("never");
    assertThat(safe.toSafe("\ud83d"))
        .isNotEqualTo(safe.toSafe("\ude00"))
        .isNotEqualTo(safe.toSafe("?"));
  }

  @Property
  void namesBeginWithALetterOrUnderscoreIfRequired(@ForAll("names") List<String> names) {
    var safe = SafeNames.beginningWithLetter();
    Map<String, String> originals = new HashMap<>();
    for (String name : names) {
      String written = safe.toSafe(name);
      assertThat(written).matches("[A-Za-z_][A-Za-z0-9_-]{0,63}").isEqualTo(safe.toSafe(name));
      assertThat(originals.getOrDefault(written, name)).isEqualTo(name);
      originals.put(written, name);
    }
    originals.forEach((written, name) -> assertThat(safe.toOriginal(written)).isEqualTo(name));
    assertThat(safe.toSafe("2e")).isEqualTo("_x32e");
  }

  @Example
  @Label("long names with a common prefix stay distinct, even if their hash codes are equal")
  void longNames() {
    var safe = new SafeNames();
    String start = "a".repeat(100);
    assertThat((start + "Aa").hashCode()).isEqualTo((start + "BB").hashCode());
    assertThat(safe.toSafe(start + "Aa")).isNotEqualTo(safe.toSafe(start + "BB"));
  }

  @Tag("full")
  @Example
  @Label("many names with equal hash codes get distinct short names in linear time")
  void manyWithEqualHashCodes() {
    var safe = new SafeNames();
    Set<String> written = new HashSet<>();
    for (int i = 0; i < 1 << 14; i++) {
      var name = new StringBuilder("a".repeat(100));
      for (int bit = 0; bit < 14; bit++) {
        name.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      String safeName = safe.toSafe(name.toString());
      assertThat(safeName.length()).isLessThanOrEqualTo(64);
      assertThat(safe.toOriginal(safeName)).isEqualTo(name.toString());
      written.add(safeName);
    }
    assertThat(written).hasSize(1 << 14);
  }

  @Provide
  Arbitrary<List<String>> names() {
    return Arbitraries.strings()
        .withChars('a', 'Z', '_', 'x', '2', 'e', '.', ':', '-', ' ', '\u00e4', '\ud83d', '\ude00')
        .ofMaxLength(70)
        .list()
        .ofMaxSize(8);
  }
}
