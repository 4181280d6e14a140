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
 * Fuzzes the merge of a preset and a request with two chat bodies made of one input. A problem of
 * the merged body must name a place in the request, or be a problem of the preset.
 */
@DisplayName("The merge of a preset and a request, given any two bodies,")
class PresetMergeFuzz {
  /** The members of the request to which a preset may add. */
  private static final Set<String> EXTENDED_MEMBERS =
      Set.of("tools", "messages", "system", "instructions");

  private static final Dialect[] DIALECTS = {Dialect.CHAT, Dialect.MESSAGES, Dialect.RESPONSES};
  private static final Seeds SEEDS = new Seeds(ChatFuzz.class);

  @FuzzTest
  @DisplayName("keeps the members of the request and finds the origin of each problem")
  void merges(byte[] input) {
    int half = input.length / 2;
    Json.Obj request = Mutant.of(SEEDS, Arrays.copyOf(input, half));
    Json.Obj config = Mutant.of(SEEDS, Arrays.copyOfRange(input, half, input.length));
    try {
      assertLaws(request, config, DIALECTS[input.length % DIALECTS.length]);
    } catch (RuntimeException | AssertionError | StackOverflowError fault) {
      throw new AssertionError(
          fault + "\nThe request:\n" + text(request) + "\nThe preset:\n" + text(config), fault);
    }
  }

  private static String text(Json json) {
    return new String(json.toBytes(), StandardCharsets.UTF_8);
  }

  private static void assertLaws(Json.Obj request, Json.Obj config, Dialect dialect) {
    PresetReferences.find(request, new Problems());
    var preset = new Preset("p", config, "Be brief.");
    preset.cache();
    MergedRequest mergedRequest = PresetMerge.merge(preset, request, dialect);
    for (int i = 0; i < request.size(); i++) {
      if (!EXTENDED_MEMBERS.contains(request.name(i))) {
        assertThat(mergedRequest.document().get(request.name(i))).isEqualTo(request.value(i));
      }
    }
    Json.Obj again = PresetMerge.merge(preset, request, dialect).document();
    assertThat(again).isEqualTo(mergedRequest.document());
    var problems = new Problems();
    new ChatDecoder(Targets.PLUGINS).decode(mergedRequest.document(), problems);
    for (Problem problem : mergedRequest.inCallerTerms(problems.list())) {
      Json document = problem.origin() == null ? request : mergedRequest.document();
      assertThat(Pointers.canExist(problem.pointer().toString(), document))
          .as("%s", problem)
          .isTrue();
    }
  }
}
