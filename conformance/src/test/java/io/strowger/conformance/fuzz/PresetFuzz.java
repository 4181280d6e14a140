package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.resource.NewPreset;
import io.strowger.core.resource.PresetDecoder;
import io.strowger.spi.model.Dialect;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of bodies that make a preset, given anything,")
class PresetFuzz {
  private static final PresetDecoder DECODER =
      new PresetDecoder(Dialect.CHAT, new ChatDecoder(Targets.PLUGINS)::decode);

  static final Target<NewPreset> TARGET =
      Target.of(PresetFuzz.class, (body, problems) -> DECODER.decode("preset", body, problems));

  @FuzzTest
  @DisplayName("reads it or names what is wrong with which member")
  void decodes(byte[] input) {
    TARGET.check(input);
  }
}
