package io.strowger.core.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.spi.error.Problem;
import io.strowger.spi.store.KeyId;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Path parameters")
class PathParametersTest {
  private static List<String> messages(Problems problems) {
    return problems.list().stream().map(Problem::toString).toList();
  }

  @Proves({"preset.slug", "open.69"})
  @ParameterizedTest
  @ValueSource(strings = {"a", "0", "my-preset", "a_b-c", "2026-11"})
  @DisplayName("slug: lower-case letters and digits, with single - or _ between them")
  void slugs(String slug) {
    var problems = new Problems();
    assertThat(PathParameters.presetSlug(slug, problems)).isEqualTo(slug);
    assertThat(problems.list()).isEmpty();
  }

  @Proves({"preset.slug", "open.69"})
  @ParameterizedTest
  @ValueSource(strings = {"", "-", "a-", "_a", "a--b", "a-_b", "A", "a b", "é", "a/b", "a.b"})
  @DisplayName("slug: nothing else is accepted")
  void noSlugs(String slug) {
    var problems = new Problems();
    assertThat(PathParameters.presetSlug(slug, problems)).isNull();
    assertThat(messages(problems))
        .containsExactly(
            "the preset slug must be 1 to 100 of a-z 0-9, with single - or _ between them, was \""
                + slug
                + "\"");
  }

  @Proves("open.69")
  @Test
  @DisplayName("slug: at most 100 characters")
  void slugLength() {
    var problems = new Problems();
    assertThat(PathParameters.presetSlug("a".repeat(100), problems)).hasSize(100);
    assertThat(PathParameters.presetSlug("a".repeat(101), problems)).isNull();
    assertThat(problems.count()).isEqualTo(1);
  }

  @Test
  @DisplayName("version: a whole number from 1")
  void versions() {
    var problems = new Problems();
    assertThat(PathParameters.presetVersion("1", problems)).isEqualTo(1);
    assertThat(PathParameters.presetVersion("2147483647", problems)).isEqualTo(Integer.MAX_VALUE);
    assertThat(problems.list()).isEmpty();
    for (String wrong : List.of("0", "-1", "x", "", "1.0", "2147483648")) {
      var found = new Problems();
      assertThat(PathParameters.presetVersion(wrong, found)).isNull();
      assertThat(messages(found))
          .containsExactly(
              "the preset version must be a whole number of at least 1, was \"" + wrong + "\"");
    }
  }

  @Test
  @DisplayName("hash: null if the text cannot be the hash of a key")
  void hashes() {
    String hash = "0123456789abcdef".repeat(4);
    KeyId id = Objects.requireNonNull(PathParameters.keyHash(hash));
    assertThat(id.hex()).isEqualTo(hash);
    assertThat(PathParameters.keyHash(hash.substring(1))).isNull();
    assertThat(PathParameters.keyHash(hash + "0")).isNull();
    assertThat(PathParameters.keyHash(hash.replace('a', 'A'))).isNull();
    assertThat(PathParameters.keyHash("g".repeat(64))).isNull();
  }

  @Test
  @DisplayName("id: null if the text is not a UUID")
  void ids() {
    String id = "0f8fad5b-d9cb-469f-a165-70867728950e";
    assertThat(PathParameters.uuid(id)).hasToString(id);
    assertThat(PathParameters.uuid(id.toUpperCase(Locale.ROOT))).hasToString(id);
    assertThat(PathParameters.uuid("0-0-0-0-0")).isNull();
    assertThat(PathParameters.uuid(id + "0")).isNull();
    assertThat(PathParameters.uuid("")).isNull();
  }
}
