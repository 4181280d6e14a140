package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.preset.MergedRequest;
import io.strowger.core.preset.Preset;
import io.strowger.core.preset.PresetMerge;
import io.strowger.core.preset.PresetReferences;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;

/**
 * Two chat bodies in one input, one of which is taken for a preset and merged under the other. What
 * is wrong with the whole is then said in places of the request, or is the preset's.
 */
@DisplayName("The merging of presets, given anything,")
class PresetMergeFuzz {
  /** What the preset may add to instead of giving way. */
  private static final Set<String> UNITED = Set.of("tools", "messages", "system", "instructions");

  private static final Dialect[] DIALECTS = {Dialect.CHAT, Dialect.MESSAGES, Dialect.RESPONSES};
  private static final Seeds SEEDS = new Seeds(ChatFuzz.class);

  @FuzzTest
  @DisplayName("keeps what the request says and knows where each part came from")
  void merges(byte[] input) {
    int half = input.length / 2;
    Json.Obj request = Mutant.of(SEEDS, Arrays.copyOf(input, half));
    Json.Obj config = Mutant.of(SEEDS, Arrays.copyOfRange(input, half, input.length));
    try {
      laws(request, config, DIALECTS[input.length % DIALECTS.length]);
    } catch (RuntimeException | AssertionError | StackOverflowError fault) {
      throw new AssertionError(
          fault + "\nThe request:\n" + text(request) + "\nThe preset:\n" + text(config), fault);
    }
  }

  private static String text(Json json) {
    return new String(json.toBytes(), StandardCharsets.UTF_8);
  }

  private static void laws(Json.Obj request, Json.Obj config, Dialect dialect) {
    PresetReferences.find(request, new Problems());
    var preset = new Preset("p", config, "Be brief.");
    preset.cache();
    MergedRequest mergedRequest = PresetMerge.merge(preset, request, dialect);
    for (int i = 0; i < request.size(); i++) {
      if (!UNITED.contains(request.name(i))) {
        assertThat(mergedRequest.document().get(request.name(i))).isEqualTo(request.value(i));
      }
    }
    Json.Obj again = PresetMerge.merge(preset, request, dialect).document();
    assertThat(again).isEqualTo(mergedRequest.document());
    var problems = new Problems();
    new ChatDecoder(Targets.PLUGINS).decode(mergedRequest.document(), problems);
    for (Problem problem : mergedRequest.inCallerTerms(problems.list())) {
      Json there = problem.origin() == null ? request : mergedRequest.document();
      assertThat(Places.names(problem.pointer().toString(), there)).as("%s", problem).isTrue();
    }
  }
}
