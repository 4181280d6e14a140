package io.strowger.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Label("The configuration reader")
class ConfigReaderProperties {
  private static final Json.Obj VALID =
      TestConfigs.json(
          """
          {'server': {'host': 'h', 'port': 1}, 'timeouts': {'total_ms': 5}, 'credits': '5',
           'providers': [{'slug': 'alpha', 'protocol': 'simulated', 'base_url': 'http://h',
                          'headers': {'X': 'y'}, 'data_policy': {'retains_prompts': false}}],
           'models': [{'id': 'm', 'aliases': ['n'], 'reasoning': {'efforts': ['low']},
             'endpoints': [{'provider': 'alpha', 'pricing': {'prompt': '1', 'overrides': [
                 {'min_prompt_tokens': 5, 'prompt': '2'}]}, 'supported_parameters': ['tools'],
                 'assumed': {'latency_ms': 1}}]}],
           'keys': [{'name': 'a', 'key': 'k', 'limit': 1}],
           'account': {'zdr': ['other'], 'guardrails': [{'name': 'g'}]},
           'plugins': {'defaults': [{'id': 'p'}], 'settings': {'p': {}}},
           'observability_destinations': [
             {'id': 'd', 'name': 'n', 'type': 'webhook', 'config': {'url': 'http://u'}}]}
          """);

  @Property
  @Label("never throws for any value in any place")
  void neverThrows(@ForAll Random place, @ForAll("values") Json value) {
    Json changed = replaced(VALID, value, place);
    ConfigResult result = TestConfigs.read(changed);
    assertThat(result instanceof ConfigResult.Accepted).isEqualTo(result.problems().isEmpty());
  }

  @Property(tries = 50)
  @Label("does not depend on the order of members")
  void memberOrder(@ForAll Random shuffle) {
    var shuffled = TestConfigs.accept(shuffled(VALID, shuffle));
    var original = TestConfigs.accept(VALID);
    assertThat(shuffled.catalog().version()).isEqualTo(original.catalog().version());
    assertThat(shuffled.keys()).isEqualTo(original.keys());
    assertThat(shuffled.unusedMemberWarnings()).isEqualTo(original.unusedMemberWarnings());
  }

  @Provide
  Arbitrary<Json> values() {
    return Arbitraries.of(
        Json.NULL,
        Json.TRUE,
        Json.of(-1),
        Json.of(Long.MAX_VALUE),
        Json.of(""),
        Json.of("alpha"),
        Json.of("${GONE}"),
        Json.of("\u0000"),
        Json.array(),
        Json.array(Json.NULL),
        Json.array(Json.array(Json.of("x"))),
        Json.array(Json.Obj.EMPTY, Json.Obj.EMPTY),
        Json.Obj.EMPTY,
        Json.object().put("x", Json.object().put("y", 1).build()).build());
  }

  /** Returns the document with one randomly chosen value replaced. */
  private static Json replaced(Json json, Json value, Random place) {
    return switch (json) {
      case Json.Obj obj when obj.size() > 0 -> {
        int i = place.nextInt(obj.size());
        boolean here = place.nextInt(4) == 0;
        yield obj.with(obj.name(i), here ? value : replaced(obj.value(i), value, place));
      }
      case Json.Arr arr when !arr.isEmpty() -> {
        int i = place.nextInt(arr.size());
        yield arr.with(i, place.nextInt(4) == 0 ? value : replaced(arr.get(i), value, place));
      }
      default -> value;
    };
  }

  private static Json shuffled(Json json, Random shuffle) {
    return switch (json) {
      case Json.Obj obj -> {
        var order = new ArrayList<Integer>();
        for (int i = 0; i < obj.size(); i++) {
          order.add(i);
        }
        Collections.shuffle(order, shuffle);
        var out = Json.object();
        order.forEach(i -> out.put(obj.name(i), shuffled(obj.value(i), shuffle)));
        yield out.build();
      }
      case Json.Arr arr -> {
        List<Json> items = arr.stream().map(item -> shuffled(item, shuffle)).toList();
        yield Json.array(items);
      }
      default -> json;
    };
  }
}
