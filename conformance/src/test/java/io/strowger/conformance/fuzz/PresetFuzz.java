package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.resource.NewPreset;
import io.strowger.core.resource.PresetDecoder;
import io.strowger.spi.model.Dialect;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of bodies that create a preset, given any body,")
class PresetFuzz {
  private static final PresetDecoder DECODER =
      new PresetDecoder(Dialect.CHAT, new ChatDecoder(Targets.PLUGINS)::decode);

  static final Target<NewPreset> TARGET =
      Target.of(PresetFuzz.class, (body, problems) -> DECODER.decode("preset", body, problems));

  @FuzzTest
  @DisplayName("decodes it or reports which member is wrong and why")
  void decodes(byte[] input) {
    TARGET.check(input);
  }
}
