package io.strowger.core.guardrail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.TextClassifier;
import io.strowger.spi.provider.EventStream;
import io.strowger.tck.FakeChain;
import io.strowger.tck.Given;
import io.strowger.tck.TextClassifierContract;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A classifier of the plugin moderation")
class ModerationClassifierTest extends TextClassifierContract {
  /** Flags texts that contain one rude word. */
  private static final class RudenessClassifier implements TextClassifier {
    @Override
    public List<String> categories() {
      return List.of("rude");
    }

    @Override
    public Set<String> classify(String text, Interceptor.Chain chain) {
      return text.contains("fool") ? Set.of("rude") : Set.of();
    }
  }

  @Override
  protected TextClassifier classifier() {
    return new RudenessClassifier();
  }

  @Override
  protected String flaggedText() {
    return "You fool.";
  }

  @Override
  protected String cleanText() {
    return "You friend.";
  }

  private static Interceptor moderation(String requests, String answers) {
    var settings =
        new PluginConfig(
            Map.of(
                ModerationProvider.REQUESTS,
                Map.of("rude", requests),
                ModerationProvider.ANSWERS,
                new ModerationProvider.AnswerSettings(true, Map.of("rude", answers))));
    return (Interceptor)
        new ModerationProvider(List.of(new RudenessClassifier()))
            .with(settings)
            .create(PluginConfig.EMPTY, Catalog.builder("1").build());
  }

  private static FakeChain chainWithAnswer(String... pieces) {
    var events = new ArrayList<Event>();
    for (String piece : pieces) {
      events.add(new Event.TextDelta(piece));
    }
    events.add(new Event.Finished(StopReason.END, "stop", null));
    return FakeChain.of(events);
  }

  @Proves("open.57")
  @Test
  @DisplayName("blocks a request before it is sent, with the contract's metadata")
  void blocksRequests() {
    FakeChain chain = chainWithAnswer("Hm.");
    assertThatThrownBy(
            () -> moderation("block", "flag").intercept(Given.request("m", "You fool"), chain))
        .isInstanceOfSatisfying(
            GatewayException.class,
            refused -> {
              assertThat(refused.error().code().status()).isEqualTo(403);
              assertThat(refused.error().metadata().get("reasons"))
                  .isEqualTo(Json.array(Json.of("rude")));
              assertThat(refused.error().metadata().text("flagged_input")).isEqualTo("You fool");
            });
    assertThat(chain.streams()).isEmpty();
  }

  @Test
  @DisplayName("that flags answers passes them on as they arrive")
  void flags() {
    FakeChain chain = chainWithAnswer("You fo", "ol");
    EventStream stream = moderation("flag", "flag").intercept(Given.streaming("m", "hi"), chain);
    assertThat(stream.next()).isEqualTo(new Event.TextDelta("You fo"));
    assertThat(stream.next()).isEqualTo(new Event.TextDelta("ol"));
    assertThat(stream.next()).isInstanceOf(Event.Finished.class);
    assertThat(stream.next()).isNull();
    assertThat(chain.stages()).hasSize(1);
  }

  @Test
  @DisplayName(
      "that blocks answers passes on none before it was judged, and nothing of a blocked one")
  void holds() {
    FakeChain chain = chainWithAnswer("You fo", "ol");
    EventStream stream = moderation("flag", "block").intercept(Given.streaming("m", "hi"), chain);
    assertThat(stream.next()).isInstanceOf(Event.Failed.class);
    assertThat(stream.next()).isNull();
    chain.streams().forEach(used -> used.assertUsedCorrectly());

    EventStream fine =
        moderation("flag", "block")
            .intercept(Given.streaming("m", "hi"), chainWithAnswer("You fri", "end"));
    assertThat(fine.next()).isEqualTo(new Event.TextDelta("You fri"));
  }

  @Test
  @DisplayName("that blocks answers blocks one that was not streamed and is too long to judge")
  void tooLong() {
    String harmless = "a".repeat(ClassifiedStream.MAX_CHARS);
    assertThat(moderatedAnswer(harmless)).isInstanceOf(Event.CompleteAnswer.class);
    assertThat(moderatedAnswer(harmless + " You fool"))
        .isInstanceOfSatisfying(
            Event.Failed.class,
            failed ->
                assertThat(failed.error().metadata().get("reasons"))
                    .isEqualTo(Json.array(Json.of("too-long-to-judge"))));
  }

  private static @Nullable Event moderatedAnswer(String text) {
    return moderation("flag", "block")
        .intercept(
            Given.request("m", "hi"),
            FakeChain.of(List.of(new Event.CompleteAnswer(Given.answer(text)))))
        .next();
  }

  @Test
  @DisplayName("cannot redact, and must have categories of its own")
  void settings() {
    assertThatThrownBy(() -> moderation("flag", "redact"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rude in answers");
    assertThatThrownBy(
            () ->
                new ModerationProvider(List.of(new RudenessClassifier(), new RudenessClassifier())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rude");
  }
}
