package io.strowger.core.dialect.chat;

import static io.strowger.core.dialect.chat.ChatRequestBodies.json;
import static io.strowger.core.dialect.chat.ChatRequestBodies.refusals;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What is refused with 400")
class RefusalsTest {
  @Proves({"provider.closed", "chat.answer.400"})
  @Test
  @DisplayName("is reported all at once, each problem once, in the order of the document")
  void allAtOnce() {
    assertThat(
            refusals(
                json(
                    "{'messages':[{'role':'system','content':[{'type':'image_url'}]},"
                        + "{'role':'assistant','tool_calls':[{}]},{'role':'tool'},{}],"
                        + "'stop':['a','b','c','d','e'],'metadata':{'k':1},"
                        + "'provider':{'x':1},'plugins':[{'enabled':1}],"
                        + "'stop_server_tools_when':[],'stream':null}")))
        .containsExactly(
            "/messages/0/content/0/type: must be text, the only type allowed here, was"
                + " \"image_url\"",
            "/messages/1/tool_calls/0/id: is required",
            "/messages/1/tool_calls/0/type: is required",
            "/messages/1/tool_calls/0/function: is required",
            "/messages/2/tool_call_id: is required",
            "/messages/2/content: is required",
            "/messages/3/role: is required",
            "/stop: must have at most 4 items, was an array of 5",
            "/metadata/k: must be a string of at most 512 characters, was 1",
            "/provider/x: is not a member of provider, was 1",
            "/plugins/0/enabled: must be true or false, was 1",
            "/plugins/0/id: is required",
            "/stop_server_tools_when: must have at least 1 item, was an array of 0",
            "/stream: must be true or false, was null");
  }

  @Proves({"plugins.loop.shell", "chat.tool.files"})
  @Test
  @DisplayName("includes unsupported features, except in members that have a problem already")
  void unsupported() {
    assertThat(
            refusals(
                json(
                    "{'messages':[],'n':3,'preset':'A','service_tier':'flex','route':'x',"
                        + "'tools':[{'type':'router:datetime','parameters':{'timezone':1}},"
                        + "{'type':'router:files'}],'tool_choice':{'type':'web_search'}}")))
        .containsExactly(
            "/messages: must have at least 1 item, was an array of 0",
            "/preset: must be 1 to 100 of a-z 0-9, with single - or _ between them, was \"A\"",
            "/route: must be one of fallback, sort, was \"x\"",
            "/tools/0/parameters/timezone: must be the name of a time zone, such as Europe/Paris,"
                + " was 1",
            "/n: must be 1: this version returns only one answer, was 3",
            "/tools/0/type: is a tool of the gateway that no registered plugin runs, was"
                + " \"router:datetime\"",
            "/tools/1/type: is a tool of the gateway that no registered plugin runs, was"
                + " \"router:files\"",
            "/tool_choice/type: is a tool of the gateway that no registered plugin runs,"
                + " was \"web_search\"");
  }

  @Proves({"chat.image_config", "chat.metadata", "chat.modalities"})
  @ParameterizedTest
  @ValueSource(
      strings = {
        "model",
        "models",
        "cache_control",
        "debug",
        "image_config",
        "metadata",
        "modalities",
        "plugins",
        "reasoning",
        "response_format",
        "session_id",
        "stop_server_tools_when",
        "stream",
        "tool_choice",
        "tools",
        "trace",
        "user",
        "include_reasoning",
        "web_search_options",
        "messages"
      })
  @DisplayName("includes null where the contract does not say \"or null\"")
  void refusesNull(String member) {
    var problems =
        refusals(
            json("{'messages':[{'role':'assistant'}]}").with(member, json("{'x':null}").value(0)));
    assertThat(problems)
        .singleElement()
        .asString()
        .startsWith("/" + member + ": must be ")
        .endsWith(", was null");
  }

  @Proves({
    "chat.frequency_penalty",
    "chat.presence_penalty",
    "chat.logit_bias",
    "chat.logprobs",
    "chat.top_logprobs",
    "chat.max_completion_tokens",
    "chat.max_tokens",
    "chat.min_p",
    "chat.top_a",
    "chat.top_k",
    "chat.top_p",
    "chat.temperature",
    "chat.repetition_penalty",
    "chat.parallel_tool_calls",
    "chat.prediction",
    "chat.prompt_cache_key",
    "chat.prompt_cache_options",
    "chat.reasoning_effort",
    "chat.seed",
    "chat.service_tier",
    "chat.stop",
    "chat.stream_options"
  })
  @ParameterizedTest
  @ValueSource(
      strings = {
        "frequency_penalty",
        "presence_penalty",
        "logit_bias",
        "logprobs",
        "top_logprobs",
        "max_completion_tokens",
        "max_tokens",
        "min_p",
        "top_a",
        "top_k",
        "top_p",
        "temperature",
        "repetition_penalty",
        "parallel_tool_calls",
        "prediction",
        "prompt_cache_key",
        "prompt_cache_options",
        "provider",
        "reasoning_effort",
        "route",
        "seed",
        "service_tier",
        "stop",
        "stream_options",
        "max_tool_calls",
        "n",
        "preset",
        "verbosity"
      })
  @DisplayName("excludes null where the contract says \"or null\"")
  void takesNull(String member) {
    assertThat(refusals(json("{'messages':[{'role':'assistant'}],'" + member + "':null}")))
        .isEmpty();
  }

  @Proves("chat.member.unknown")
  @Test
  @DisplayName("excludes unknown members, in every object")
  void unknown() {
    List<String> all = new ArrayList<>();
    for (String value : List.of("null", "1", "[]", "{'y':{}}")) {
      all.addAll(
          refusals(
              json(
                  ("{'x':%s,'messages':[{'role':'user','x':%s,'content':[{'type':'text','text':'t',"
                          + "'x':%s}]}],'reasoning':{'x':%s},'tools':[{'type':'function','x':%s,"
                          + "'function':{'name':'f','x':%s}}]}")
                      .replace("%s", value))));
    }
    assertThat(all).isEmpty();
  }
}
