package io.strowger.providers.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.providers.translate.SafeNames;
import io.strowger.providers.upstream.LiteralArbitraries;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/**
 * Tests that matching a frame against a pattern, without parsing, gives the same event as parsing
 * it, or no event.
 */
class ChatStreamProperties {
  private static final String BEFORE =
      "{\"id\": \"c1\", \"choices\": [{\"index\": 0, \"delta\": {\"content\": ";
  private static final String AFTER = "}, \"logprobs\": null}], \"x\": {\"content\": \"same\"}}";
  private static final byte[] EXAMPLE = bytes(BEFORE + "\"same\"" + AFTER);

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static List<Event> parsed(byte[] frame) throws JsonCodec.MalformedJsonException {
    var events = new ChatEventReader(Credential.NONE, new SafeNames());
    byte[] own = frame.clone();
    events.readFrame(ChatFixtures.CODEC.parse(own), own, "");
    var all = new ArrayList<Event>();
    for (Event event = events.queue().poll(); event != null; event = events.queue().poll()) {
      all.add(event);
    }
    return all;
  }

  /** Returns the event of a frame that matches the example's pattern; null if it does not match. */
  private static @Nullable Event matched(byte[] frame) throws JsonCodec.MalformedJsonException {
    var events = new ChatEventReader(Credential.NONE, new SafeNames());
    byte[] own = EXAMPLE.clone();
    events.readFrame(ChatFixtures.CODEC.parse(own), own, "");
    byte[] buffer = new byte[frame.length + 7];
    System.arraycopy(frame, 0, buffer, 3, frame.length);
    return events.tryMatch(buffer, 3, 3 + frame.length);
  }

  private static void assertSame(byte[] frame) throws JsonCodec.MalformedJsonException {
    Event matched = matched(frame);
    if (matched == null) {
      return;
    }
    List<Event> events = parsed(frame); // must be well-formed, since it matched
    assertThat(events).hasSize(1);
    var parsedDelta = (Event.TextDelta) events.get(0);
    var matchedDelta = (Event.TextDelta) matched;
    assertThat(matchedDelta.text().text()).isEqualTo(parsedDelta.text().text());
    assertThat(matchedDelta.text().toBytes()).isEqualTo(parsedDelta.text().toBytes());
    assertThat(ChatStreams.frame(matchedDelta)).isEqualTo(ChatStreams.frame(parsedDelta));
    var out = new JsonOutput(64);
    Objects.requireNonNull(matchedDelta.template()).write(matchedDelta.text(), out);
    assertThat(out.toByteArray()).isEqualTo(frame);
  }

  @Property
  void everyTextMatchesWithTheSameEvent(@ForAll("texts") String text)
      throws JsonCodec.MalformedJsonException {
    byte[] frame = bytes(BEFORE + Json.of(text) + AFTER);
    if (!text.isEmpty()) {
      assertThat(matched(frame)).isNotNull();
    }
    assertSame(frame);
  }

  @Property
  void anyBytesInPlaceOfTheTextGiveTheSameEventOrDoNotMatch(@ForAll("literals") byte[] middle)
      throws JsonCodec.MalformedJsonException {
    byte[] before = bytes(BEFORE);
    byte[] after = bytes(AFTER);
    byte[] frame = Arrays.copyOf(before, before.length + middle.length + after.length);
    System.arraycopy(middle, 0, frame, before.length, middle.length);
    System.arraycopy(after, 0, frame, before.length + middle.length, after.length);
    assertSame(frame);
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings().all().ofMaxLength(12).filter(ChatStreamProperties::hasUtf8Form);
  }

  private static boolean hasUtf8Form(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  @Provide
  Arbitrary<byte[]> literals() {
    return LiteralArbitraries.any();
  }
}
