package io.strowger.core.resource;

import static io.strowger.core.resource.ResourceWords.decode;
import static io.strowger.core.resource.ResourceWords.sent;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.dialect.messages.MessagesBodies;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.dialect.responses.ResponsesBodies;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.core.preset.MergedRequest;
import io.strowger.core.preset.Preset;
import io.strowger.core.preset.PresetMerge;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Label("A preset made from a valid body")
class PresetDecoderProperties {
  private static final PresetDecoder MESSAGES =
      new PresetDecoder(Dialect.MESSAGES, new MessagesDecoder((entries, at, found) -> {})::decode);
  private static final PresetDecoder RESPONSES =
      new PresetDecoder(
          Dialect.RESPONSES, new ResponsesDecoder((entries, at, found) -> {})::decode);

  @Property
  @Label("of messages keeps members of the body unchanged, and adds them to an empty request")
  void messages(@ForAll("messages") Json.Obj body) {
    assertKept(MESSAGES, Dialect.MESSAGES, body);
  }

  @Property
  @Label("of responses keeps members of the body unchanged, and adds them to an empty request")
  void responses(@ForAll("responses") Json.Obj body) {
    assertKept(RESPONSES, Dialect.RESPONSES, body);
  }

  private static void assertKept(PresetDecoder decoder, Dialect dialect, Json.Obj body) {
    Json.Obj sent = sent(body);
    NewPreset created = decode((given, problems) -> decoder.decode("s", given, problems), sent);
    Json.Obj config = created.config();
    for (int i = 0; i < config.size(); i++) {
      assertThat(config.value(i)).isEqualTo(sent.get(config.name(i)));
    }
    for (String member : new String[] {"messages", "input", "stream", "user", "session_id"}) {
      assertThat(config.has(member)).isFalse();
    }
    var preset = new Preset("s", config, null);
    MergedRequest mergedRequest = PresetMerge.merge(preset, Json.Obj.EMPTY, dialect);
    assertThat(mergedRequest.document()).isEqualTo(config);
  }

  @Provide
  Arbitrary<Json.Obj> messages() {
    return MessagesBodies.valid();
  }

  @Provide
  Arbitrary<Json.Obj> responses() {
    return ResponsesBodies.valid();
  }
}
