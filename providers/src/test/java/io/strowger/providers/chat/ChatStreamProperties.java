package io.strowger.providers.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.providers.translate.SafeNames;
import io.strowger.providers.upstream.Literals;
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

/** The way that does not parse gives what the way that parses gives, or nothing. */
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
    events.readFrame(Bodies.CODEC.parse(own), own, "");
    var all = new ArrayList<Event>();
    for (Event event = events.queue().poll(); event != null; event = events.queue().poll()) {
      all.add(event);
    }
    return all;
  }

  /** What the fast way makes of a frame after it has seen the example. */
  private static @Nullable Event known(byte[] frame) throws JsonCodec.MalformedJsonException {
    var events = new ChatEventReader(Credential.NONE, new SafeNames());
    byte[] own = EXAMPLE.clone();
    events.readFrame(Bodies.CODEC.parse(own), own, "");
    byte[] buffer = new byte[frame.length + 7];
    System.arraycopy(frame, 0, buffer, 3, frame.length);
    return events.tryMatch(buffer, 3, 3 + frame.length);
  }

  private static void assertSame(byte[] frame) throws JsonCodec.MalformedJsonException {
    Event known = known(frame);
    if (known == null) {
      return;
    }
    List<Event> events = parsed(frame); // must be well formed, since it was taken for that
    assertThat(events).hasSize(1);
    var slow = (Event.TextDelta) events.get(0);
    var fast = (Event.TextDelta) known;
    assertThat(fast.text().text()).isEqualTo(slow.text().text());
    assertThat(fast.text().toBytes()).isEqualTo(slow.text().toBytes());
    assertThat(Streams.frame(fast)).isEqualTo(Streams.frame(slow));
    var out = new JsonOutput(64);
    Objects.requireNonNull(fast.template()).write(fast.text(), out);
    assertThat(out.toByteArray()).isEqualTo(frame);
  }

  @Property
  void everyTextIsKnownAndTheSame(@ForAll("texts") String text)
      throws JsonCodec.MalformedJsonException {
    byte[] frame = bytes(BEFORE + Json.of(text) + AFTER);
    if (!text.isEmpty()) {
      assertThat(known(frame)).isNotNull();
    }
    assertSame(frame);
  }

  @Property
  void anyBytesInPlaceOfTheTextAreTheSameOrUnknown(@ForAll("literals") byte[] middle)
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
    return Literals.any();
  }
}
