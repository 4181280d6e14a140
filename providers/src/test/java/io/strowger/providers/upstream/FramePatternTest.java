package io.strowger.providers.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A frame pattern")
class FramePatternTest {
  private static final String FIRST = "{'n':12,'at':0,'say':'Hi','pad':'x'}";

  private final FramePattern pattern = patternOfFirst();

  private static FramePattern patternOfFirst() {
    byte[] bytes = bytes(FIRST);
    try {
      Json.Obj frame = (Json.Obj) MinimalCodec.CODEC.parse(bytes);
      List<Json> varying =
          List.of(
              Objects.requireNonNull(frame.get("say")),
              Objects.requireNonNull(frame.get("pad")),
              Objects.requireNonNull(frame.get("n")));
      return Objects.requireNonNull(FramePattern.of(bytes, varying));
    } catch (JsonCodec.MalformedJsonException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static byte[] bytes(String json) {
    return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  private boolean matches(String json) {
    byte[] frame = bytes(json);
    return pattern.matches(frame, 0, frame.length);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        FIRST,
        "{'n':0,'at':0,'say':'','pad':''}",
        "{'n':123456789012345678,'at':0,'say':'Grüß 🦊, a longer"
            + " text','pad':'yyyyyyyyyyyyyyyyyyy'}",
        "{'n':7,'at':0,'say':'a \\\"quoted\\\" \\u00e9 one, and \\\\','pad':'\\\\'}"
      })
  @DisplayName("matches frames that differ only in the values that may vary")
  void matching(String json) {
    assertThat(matches(json)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'n':12,'at':1,'say':'Hi','pad':'x'}",
        "{'n':12,'at':0,'say':'Hi','pad':'x'} ",
        "{'n':12,'at':0,'say':'Hi','pad':'x','more':1}",
        "{'n':12,'at':0,'say':'Hi','pad':'x'",
        "{'n':012,'at':0,'say':'Hi','pad':'x'}",
        "{'n':-1,'at':0,'say':'Hi','pad':'x'}",
        "{'n':1.5,'at':0,'say':'Hi','pad':'x'}",
        "{'n':,'at':0,'say':'Hi','pad':'x'}",
        "{'n':1234567890123456789,'at':0,'say':'Hi','pad':'x'}",
        "{'n':12,'at':0,'say':null,'pad':'x'}",
        "{'n':12,'at':0,'say':'a wrong \\escape','pad':'x'}",
        "{'n':12,'at':0,'say':'H\ti','pad':'x'}",
        "{'n':12,'at':0,'say':'Hi','more':'','pad':'x'}",
        "{'n':12,'at':0,'say':'Hi','pad':'x}",
        "{}",
        ""
      })
  @DisplayName("matches no other frame, so that the parser reads it")
  void notMatching(String json) {
    assertThat(matches(json)).isFalse();
  }

  @Test
  @DisplayName("gives the values of a matched frame, wherever the frame lies in the buffer")
  void values() {
    byte[] buffer = bytes("data: {'n':4,'at':0,'say':'Gr\\u00fc\\u00df','pad':''}\n\n");
    assertThat(pattern.matches(buffer, 6, buffer.length - 2)).isTrue();
    Json.Str text = pattern.string(buffer, 0);
    assertThat(pattern.isEmpty(0)).isFalse();
    assertThat(pattern.isEmpty(1)).isTrue();
    buffer[pattern.start(0) + 1] = 'X';
    assertThat(text.text()).isEqualTo("Grüß");
    assertThat(pattern.end(2) - pattern.start(2)).isEqualTo(1);
  }

  @Test
  @DisplayName("cannot be made from values that are not part of the frame")
  void foreignValues() {
    assertThat(FramePattern.of(bytes(FIRST), List.of(Json.of("Hi")))).isNull();
    assertThat(FramePattern.of(bytes(FIRST), List.of(Json.of(12)))).isNull();
    assertThat(FramePattern.of(bytes(FIRST), List.of(Json.TRUE))).isNull();
  }
}
