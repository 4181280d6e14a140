package io.strowger.core.decode;

import static io.strowger.core.decode.TestRules.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.dialect.SharedMembers;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Members that several bodies share:")
class SharedRulesTest {
  @Nested
  @DisplayName("stop_server_tools_when")
  class Stopping {
    @Proves({"chat.stop_server_tools_when", "chat.member.stop_server_tools_when"})
    @ParameterizedTest
    @ValueSource(
        strings = {
          "[{'type':'step_count_is','step_count':1}]",
          "[{'type':'has_tool_call','tool_name':'t'}]",
          "[{'type':'max_tokens_used','max_tokens':0}]",
          "[{'type':'max_cost','max_cost_in_dollars':0}]",
          "[{'type':'max_cost','max_cost_in_dollars':0.01,'later':1}]",
          "[{'type':'finish_reason_is','reason':'r'},{'type':'step_count_is','step_count':9}]",
          "{'type':'max_cost','max_cost_in_dollars':0.01}",
        })
    @DisplayName("accepts")
    void accepted(String conditions) {
      assertThat(problems(SharedMembers.STOP_SERVER_TOOLS_WHEN, conditions)).isEmpty();
    }

    @Proves({
      "chat.stop_server_tools_when",
      "plugins.loop.SL-7",
      "chat.member.stop_server_tools_when",
      "open.63"
    })
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '~',
        value = {
          "null | must be an array, was null",
          "'max_cost' | must be an array, was \"max_cost\"",
          "{} | /type: is required",
          "{'type':'step_count_is','step_count':0} | /step_count: must be a whole number of at"
              + " least 1, was 0",
          "[] | must have at least 1 item, was an array of 0",
          "[{}] | /0/type: is required",
          "[{'type':'x'}] | /0/type: must be one of step_count_is, has_tool_call, max_tokens_used,"
              + " max_cost, finish_reason_is, was \"x\"",
          "[{'type':'step_count_is'}] | /0/step_count: is required",
          "[{'type':'step_count_is','step_count':0}] | /0/step_count: must be a whole number of at"
              + " least 1, was 0",
          "[{'type':'step_count_is','step_count':1.5}] | /0/step_count: must be a whole number of"
              + " at least 1, was 1.5",
          "[{'type':'has_tool_call','tool_name':''}] | /0/tool_name: must be a string, not empty,"
              + " was \"\"",
          "[{'type':'max_tokens_used','max_tokens':-1}] | /0/max_tokens: must be a whole number of"
              + " at least 0, was -1",
          "[{'type':'max_cost','max_cost_in_dollars':-0.01}] | /0/max_cost_in_dollars: must be a"
              + " number of at least 0, was -0.01",
          "[{'type':'max_cost','max_cost_in_dollars':'1'}] | /0/max_cost_in_dollars: must be a"
              + " number of at least 0, was \"1\"",
          "[{'type':'finish_reason_is'}] | /0/reason: is required",
        })
    @DisplayName("refuses")
    void refused(String conditions, String problem) {
      assertThat(problems(SharedMembers.STOP_SERVER_TOOLS_WHEN, conditions))
          .containsExactly(problem);
    }
  }

  @Nested
  @DisplayName("the members for prompt caches")
  class Caching {
    @Proves({"chat.cache_control", "chat.member.cache_control"})
    @Test
    @DisplayName("cache_control is ephemeral, for five minutes or an hour")
    void ephemeral() {
      for (String cacheControl :
          new String[] {
            "{'type':'ephemeral'}",
            "{'type':'ephemeral','ttl':'5m'}",
            "{'ttl':'1h','type':'ephemeral','later':1}"
          }) {
        assertThat(problems(SharedMembers.CACHE_CONTROL, cacheControl)).isEmpty();
      }
      assertThat(problems(SharedMembers.CACHE_CONTROL, "{'ttl':'2h'}"))
          .containsExactly("/ttl: must be one of 5m, 1h, was \"2h\"", "/type: is required");
      assertThat(problems(SharedMembers.CACHE_CONTROL, "{'type':'x','ttl':null}"))
          .containsExactly(
              "/type: must be ephemeral, was \"x\"", "/ttl: must be one of 5m, 1h, was null");
      assertThat(problems(SharedMembers.CACHE_CONTROL, "null"))
          .containsExactly("must be an object, was null");
    }

    @Proves({"chat.prompt_cache_options", "chat.member.prompt_cache_options"})
    @Test
    @DisplayName("prompt_cache_options are explicit, with any ttl or none")
    void explicit() {
      assertThat(problems(SharedMembers.EXPLICIT_CACHE, "{'mode':'explicit','ttl':'30m'}"))
          .isEmpty();
      assertThat(problems(SharedMembers.EXPLICIT_CACHE, "{'mode':'explicit','ttl':null}"))
          .isEmpty();
      assertThat(problems(SharedMembers.EXPLICIT_CACHE, "{'mode':'auto','ttl':1}"))
          .containsExactly(
              "/mode: must be explicit, was \"auto\"", "/ttl: must be a string, was 1");
      assertThat(problems(SharedMembers.EXPLICIT_CACHE, "{}"))
          .containsExactly("/mode: is required");
    }
  }

  @Proves({"chat.trace", "operation.messages.trace", "chat.member.trace"})
  @ParameterizedTest
  @ValueSource(
      strings = {"trace_id", "trace_name", "span_name", "generation_name", "parent_span_id"})
  @DisplayName("trace has strings in its known members, and any value in others")
  void trace(String name) {
    assertThat(
            problems(SharedMembers.TRACE, "{'" + name + "':'','other':[null],'" + name + "s':1}"))
        .isEmpty();
    assertThat(problems(SharedMembers.TRACE, "{'" + name + "':1}"))
        .containsExactly("/" + name + ": must be a string, was 1");
    assertThat(problems(SharedMembers.TRACE, "{'" + name + "':null}")).hasSize(1);
    assertThat(problems(SharedMembers.TRACE, "[]"))
        .containsExactly("must be an object, was an array of 0");
  }

  @Nested
  @DisplayName("metadata")
  class Metadata {
    private String pairs(int count) {
      var pairs = new StringBuilder("{'k0':'v'");
      for (int i = 1; i < count; i++) {
        pairs.append(",'k").append(i).append("':'v'");
      }
      return pairs.append("}").toString();
    }

    @Proves("limit.metadata")
    @Test
    @DisplayName("has at most 16 pairs, with keys of 64 and values of 512 characters")
    void bounds() {
      String smile = "\uD83D\uDE00";
      assertThat(problems(SharedMembers.METADATA, pairs(16))).isEmpty();
      assertThat(problems(SharedMembers.METADATA, pairs(17)))
          .containsExactly("must have at most 16 pairs, was 17");
      String longest = "{'" + smile.repeat(64) + "':'" + smile.repeat(512) + "'}";
      assertThat(problems(SharedMembers.METADATA, longest)).isEmpty();
      assertThat(problems(SharedMembers.METADATA, "{'" + "k".repeat(65) + "':''}")).hasSize(1);
      assertThat(problems(SharedMembers.METADATA, "{'k':'" + "v".repeat(513) + "'}"))
          .singleElement()
          .asString()
          .startsWith("/k: must be a string of at most 512 characters");
      assertThat(problems(SharedMembers.METADATA, "{'k':1,'l':null}")).hasSize(2);
      assertThat(problems(SharedMembers.METADATA, "null")).hasSize(1);
    }

    @Proves("responses.member.metadata")
    @Test
    @DisplayName("of responses has no brackets in keys")
    void brackets() {
      for (String name : new String[] {"a[", "]b", "[]"}) {
        assertThat(problems(SharedMembers.METADATA, "{'" + name + "':'v'}")).isEmpty();
        assertThat(problems(SharedMembers.METADATA_WITHOUT_BRACKETS, "{'" + name + "':'v'}"))
            .containsExactly("must have keys without [ and ], was \"" + name + "\"");
      }
      assertThat(problems(SharedMembers.METADATA_WITHOUT_BRACKETS, "{'a(b)':'[v]'}")).isEmpty();
    }
  }
}
