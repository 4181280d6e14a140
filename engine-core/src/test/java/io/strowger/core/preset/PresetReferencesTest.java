package io.strowger.core.preset;

import static io.strowger.core.preset.TestPresets.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.tck.conformance.Proves;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A reference to a preset")
class PresetReferencesTest {
  private static PresetReferences.Reference findValid(String body) {
    var problems = new Problems();
    var reference = PresetReferences.find(json(body), problems);
    assertThat(problems.list()).isEmpty();
    return Objects.requireNonNull(reference);
  }

  private static List<String> findProblems(Json.Obj body) {
    var problems = new Problems();
    assertThat(PresetReferences.find(body, problems)).isNull();
    return problems.list().stream().map(Problem::toString).toList();
  }

  @Proves("resources.preset.references")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'model':'@preset/writer','top_p':1}|{'top_p':1}",
        "{'model':'a/b@preset/writer','top_p':1}|{'model':'a/b','top_p':1}",
        "{'model':'a/b:free@preset/writer'}|{'model':'a/b:free'}",
        "{'model':'a/b','preset':'writer','top_p':1}|{'model':'a/b','top_p':1}",
        "{'preset':'writer'}|{}",
        "{'model':'a/b@preset/writer','preset':'writer'}|{'model':'a/b'}",
        "{'model':5,'preset':'writer'}|{'model':5}",
      })
  @DisplayName("is found in model or in preset, and is removed from the request")
  void taken(String body, String document) {
    PresetReferences.Reference reference = findValid(body);
    assertThat(reference.slug()).isEqualTo("writer");
    assertThat(reference.document()).isEqualTo(json(document));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'model':'a/b'}",
        "{'model':null}",
        "{'preset':null}",
        "{'models':['@preset/writer']}",
        "{'model':'preset/writer'}",
        "{'model':'a@preset'}",
      })
  @DisplayName("is not found elsewhere")
  void none(String body) {
    assertThat(findProblems(json(body))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'model':'@preset/Writer'}|/model: must name a preset, which must be 1 to 100 of a-z 0-9,"
            + " with single - or _ between them, was \"Writer\"",
        "{'model':'a@preset/'}|/model: must name a preset, which must be 1 to 100 of a-z 0-9, with"
            + " single - or _ between them, was \"\"",
        "{'model':'@preset/a@preset/b'}|/model: must name a preset, which must be 1 to 100 of a-z"
            + " 0-9, with single - or _ between them, was \"a@preset/b\"",
        "{'preset':''}|/preset: must be 1 to 100 of a-z 0-9, with single - or _ between them, was"
            + " \"\"",
        "{'preset':5}|/preset: must be a string, was 5",
        "{'model':'@preset/a','preset':'b'}|/preset: must be the preset that model names, a, was"
            + " \"b\"",
      })
  @DisplayName("that is invalid or ambiguous is reported as a problem")
  void invalid(String body, String problem) {
    assertThat(findProblems(json(body))).containsExactly(problem);
  }

  @Test
  @DisplayName("leaves the bytes of all other members unchanged")
  void bytes() {
    Json.Obj document = findValid("{'stop' : [ 'x' ],'preset':'writer','top_p':1.0 }").document();
    assertThat(new String(document.toBytes(), StandardCharsets.UTF_8))
        .isEqualTo("{\"stop\":[ \"x\" ],\"top_p\":1.0}");
  }
}
