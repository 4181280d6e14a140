package io.strowger.core.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.resource.FilterRules;
import io.strowger.core.resource.FilterRules.Group;
import io.strowger.core.resource.FilterRules.Operator;
import io.strowger.core.resource.FilterRules.Rule;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallTrace;
import io.strowger.tck.conformance.Proves;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The filter rules of a destination")
class CallFilterTest {
  static CallTrace trace(@Nullable String user, String prompt) {
    return new CallTrace(
        "gen-1",
        new CallTrace.Span("a".repeat(32), "b".repeat(16), null, "n", null, null, Json.Obj.EMPTY),
        new CallTrace.Result(
            Instant.parse("2026-11-21T12:00:00Z"), 1, 2_000_000, "stop", null, 200, false),
        new CallTrace.Model("acme/large", "acme/large", "Alpha", "chat", false),
        Usage.builder().freshInput(10).outputText(5).build(),
        Usd.ofDollars(new BigDecimal("0.015")),
        new CallTrace.Sender(user, "s-1"),
        new CallTrace.Details(
            new CallTrace.Identity("app", "h", "w", "u"),
            null,
            new CallTrace.Content(
                Json.array(Json.object().put("role", "user").put("content", prompt).build()),
                Json.array(
                    Json.object()
                        .put("message", Json.object().put("content", "the answer").build())
                        .build()))));
  }

  private static TracedCall call(CallTrace trace) {
    CallTrace.Content content = trace.details().content();
    return new TracedCall(trace, content == null ? null : CallContent.of(content));
  }

  private static boolean matches(Group... groups) {
    return CallFilter.of(new FilterRules(true, List.of(groups)))
        .matches(call(trace(null, "the question")));
  }

  private static Rule rule(String field, String operator, @Nullable String value) {
    return new Rule(field, Operator.of(operator), value == null ? null : Json.of(value));
  }

  private static boolean matches(String field, String operator, @Nullable String value) {
    return matches(new Group(true, List.of(rule(field, operator, value))));
  }

  @Proves({"resources.destination.filter_rules", "open.74"})
  @ParameterizedTest(name = "{0} {1} {2}: {3}")
  @CsvSource({
    "model,equals,acme/large,true",
    "model,equals,Acme/large,false",
    "model,not_equals,acme/large,false",
    "model,not_equals,acme/small,true",
    "provider,equals,Alpha,true",
    "session_id,starts_with,s-,true",
    "session_id,ends_with,-2,false",
    "session_id,ends_with,-1,true",
    "api_key_name,contains,pp,true",
    "api_key_name,not_contains,pp,false",
    "api_key_name,not_contains,x,true",
    "finish_reason,equals,stop,true",
    "input,contains,question,true",
    "input,contains,answer,false",
    "output,regex,^the a.*r$,true",
    "output,regex,THE,false",
    "total_cost,gt,0.0149,true",
    "total_cost,gt,0.015,false",
    "total_cost,gte,0.0150,true",
    "total_cost,equals,0.01500,true",
    "total_cost,not_equals,0.01500,false",
    "total_tokens,equals,15,true",
    "prompt_tokens,lt,10,false",
    "prompt_tokens,lte,10,true",
    "completion_tokens,lt,6,true",
    "completion_tokens,lt,x,false",
    "completion_tokens,gte,x,false",
    "model,gt,1,false",
    "model,lte,1,false",
    "user_id,exists,,false",
    "user_id,not_exists,,true",
    "user_id,equals,u,false",
    "user_id,not_equals,u,true",
    "user_id,not_contains,u,true",
    "user_id,contains,u,false",
    "user_id,lt,5,false",
    "model,exists,,true",
    "model,not_exists,,false",
  })
  @DisplayName("compare a field by their operator")
  void operators(String field, String operator, @Nullable String value, boolean expected) {
    assertThat(matches(field, operator, value)).isEqualTo(expected);
  }

  @Proves("resources.destination.filter_rules")
  @Test
  @DisplayName("support every field and every operator of the contract")
  void complete() {
    assertThat(FilterRules.FIELDS).hasSize(12);
    assertThat(Operator.WIRE_NAMES).hasSize(13);
    for (String field : FilterRules.FIELDS) {
      assertThat(matches(field, "exists", null)).as(field).isEqualTo(!field.equals("user_id"));
    }
  }

  @Proves("open.74")
  @Test
  @DisplayName("match if one group does; a group requires all or one of its rules")
  void groups() {
    Rule matching = rule("model", "exists", null);
    Rule failing = rule("user_id", "exists", null);
    assertThat(matches(new Group(true, List.of(matching, failing)))).isFalse();
    assertThat(matches(new Group(false, List.of(matching, failing)))).isTrue();
    assertThat(matches(new Group(false, List.of(failing, failing)))).isFalse();
    assertThat(matches(new Group(true, List.of(failing)), new Group(true, List.of(matching))))
        .isTrue();
    assertThat(matches(new Group(true, List.of(failing)), new Group(false, List.of(failing))))
        .isFalse();
    assertThat(matches(new Group(true, List.of()))).isTrue();
    assertThat(matches(new Group(false, List.of()))).isTrue();
  }

  @Proves("open.74")
  @Test
  @DisplayName("match every call if there are none, if they have no groups or are disabled")
  void everything() {
    var call = call(trace(null, "x"));
    var failing = new Group(true, List.of(rule("user_id", "exists", null)));
    assertThat(CallFilter.of(null).matches(call)).isTrue();
    assertThat(CallFilter.of(new FilterRules(true, List.of())).matches(call)).isTrue();
    assertThat(CallFilter.of(new FilterRules(false, List.of(failing))).matches(call)).isTrue();
    assertThat(CallFilter.of(new FilterRules(true, List.of(failing))).matches(call)).isFalse();
  }

  @Test
  @DisplayName("are read as they were written")
  void written() {
    var rules =
        new FilterRules(
            true,
            List.of(
                new Group(
                    false,
                    List.of(rule("model", "regex", "a+"), rule("user_id", "exists", null)))));
    assertThat(FilterRules.read(rules.json())).isEqualTo(rules);
  }
}
