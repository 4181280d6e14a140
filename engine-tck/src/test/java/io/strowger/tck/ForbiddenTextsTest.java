package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.TextKind;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The requests with a text that must not be sent")
class ForbiddenTextsTest {
  private static final String WORD = "sesame";

  private static Collection<InferenceRequest> requests() {
    return ForbiddenTexts.requests(WORD).values();
  }

  @Test
  @DisplayName("all contain it, and no longer do once it is edited out")
  void found() {
    ForbiddenTexts.requests(WORD)
        .forEach(
            (place, request) -> {
              assertThat(ForbiddenTexts.isIn(request, WORD)).as(place).isTrue();
              InferenceRequest edited = request.editTexts((text, kind) -> text.replace(WORD, "_"));
              assertThat(ForbiddenTexts.isIn(edited, WORD)).as(place).isFalse();
            });
  }

  @Test
  @DisplayName("contain it in texts of every kind")
  void kinds() {
    Set<TextKind> kinds = EnumSet.noneOf(TextKind.class);
    for (InferenceRequest request : requests()) {
      request.editTexts(
          (text, kind) -> {
            if (text.contains(WORD)) {
              kinds.add(kind);
            }
            return text;
          });
    }
    assertThat(kinds).isEqualTo(EnumSet.allOf(TextKind.class));
  }

  @Test
  @DisplayName("contain it in parts of every kind that has text")
  void parts() {
    Set<Class<?>> seen =
        requests().stream()
            .flatMap(request -> request.messages().stream())
            .map(Message::parts)
            .flatMap(Collection::stream)
            .map(Object::getClass)
            .collect(Collectors.toSet());
    assertThat(seen)
        .containsAll(
            Stream.of(Part.class.getPermittedSubclasses())
                .filter(part -> part != Part.Audio.class && part != Part.Logprobs.class)
                .toList());
  }

  @Test
  @DisplayName("can be made with a text of a single character")
  void shortest() {
    assertThat(ForbiddenTexts.requests("\ud83d\ude00"))
        .allSatisfy(
            (place, request) ->
                assertThat(ForbiddenTexts.isIn(request, "\ud83d\ude00")).as(place).isTrue());
  }
}
