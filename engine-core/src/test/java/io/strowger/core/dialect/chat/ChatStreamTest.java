package io.strowger.core.dialect.chat;

import static io.strowger.core.dialect.EncodedAnswers.json;
import static io.strowger.core.dialect.chat.Chunks.END;
import static io.strowger.core.dialect.chat.Chunks.HEAD;
import static io.strowger.core.dialect.chat.Chunks.ROLE;
import static io.strowger.core.dialect.chat.Chunks.USAGE_CHUNK;
import static io.strowger.core.dialect.chat.Chunks.delta;
import static io.strowger.core.dialect.chat.Chunks.end;
import static io.strowger.core.dialect.chat.Chunks.stream;
import static io.strowger.core.dialect.chat.Chunks.template;
import static io.strowger.core.inference.Replies.answered;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.dialect.AnswerHeader;
import io.strowger.core.dialect.AnswerStream;
import io.strowger.core.inference.Replies;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.FrameTemplate;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.tck.conformance.Proves;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A chat stream")
class ChatStreamTest {
  @Nested
  @DisplayName("made from events alone")
  class FromEvents {
    @Proves({
      "events.3",
      "chat.member.stream_options",
      "chat.answer.frames",
      "chat.answer.chunk",
      "chat.answer.last",
      "translation.case.14"
    })
    @Test
    @DisplayName(
        "Case 14: has a role, the deltas, the finish, one usage without choices, and [DONE]")
    void order() {
      assertThat(
              stream(
                  answered(
                      new Event.Started(null),
                      new Event.TextDelta("Hel"),
                      new Event.TextDelta("lo\n"),
                      new Event.UsageReport(Usage.NONE, null),
                      END)))
          .containsExactly(
              ROLE,
              delta("'content':'Hel'"),
              delta("'content':'lo\\n'"),
              end("stop", "'stop'"),
              USAGE_CHUNK,
              "[DONE]");
    }

    @Test
    @DisplayName("has the role once, also when no event announced the answer")
    void role() {
      assertThat(stream(answered(new Event.TextDelta("a"), new Event.TextDelta("b"), END)))
          .containsExactly(
              ROLE,
              delta("'content':'a'"),
              delta("'content':'b'"),
              end("stop", "'stop'"),
              USAGE_CHUNK,
              "[DONE]");
    }

    @Proves("chat.answer.tool-deltas")
    @Test
    @DisplayName("has reasoning, tool calls and annotations in the members for them")
    void otherDeltas() {
      assertThat(
              stream(
                  answered(
                      new Event.ReasoningDelta(Json.of("hm"), null),
                      new Event.ToolCallDelta(0, "c1", "f", Json.of(""), null),
                      new Event.ToolCallDelta(0, null, null, Json.of("{\"a\":1}"), null),
                      new Event.Annotation(json("{'type':'url_citation'}"), null),
                      new Event.Finished(StopReason.TOOL_CALLS, null, null))))
          .startsWith(
              ROLE,
              delta(
                  "'reasoning':'hm','reasoning_details':[{'type':'reasoning.text','text':'hm',"
                      + "'format':'unknown','index':0}]"),
              delta(
                  "'tool_calls':[{'index':0,'id':'c1','type':'function','function':{'name':'f',"
                      + "'arguments':''}}]"),
              delta("'tool_calls':[{'index':0,'function':{'arguments':'{\\'a\\':1}'}}]"),
              delta("'annotations':[{'type':'url_citation'}]"),
              end("tool_calls", "null"));
    }

    @Test
    @DisplayName("leaves out the usage when it is unknown")
    void noUsage() {
      assertThat(
              stream(
                  answered(
                      null,
                      io.strowger.spi.provider.EventStream.of(
                          List.of(new Event.TextDelta("a"), END)))))
          .hasSize(4)
          .endsWith("[DONE]");
    }

    @Proves("chat.answer.choices")
    @ParameterizedTest
    @EnumSource(StopReason.class)
    @DisplayName("has a finish reason of the contract for every stop reason")
    void finishReasons(StopReason reason) {
      assertThat(ChatChoices.finishReason(reason))
          .isIn("tool_calls", "stop", "length", "content_filter", "error");
    }
  }

  @Nested
  @DisplayName("of the upstream's own chunks")
  class SameDialect {
    private static final String UPSTREAM = "{'id':'up-1','object':'x','created':1,'model':'up',";

    @Proves("chat.answer.chunk")
    @Test
    @DisplayName("keeps everything except the members that the gateway writes itself")
    void kept() {
      assertThat(
              stream(
                  answered(
                      new Event.Started(
                          json(
                              UPSTREAM
                                  + "'provider':'p','usage':null,'system_fingerprint':'fp',"
                                  + "'choices':[{'index':0,'delta':{'role':'assistant'},'x':1.0}],"
                                  + "'obfuscation':'zz'}")),
                      new Event.OtherContent(
                          json(UPSTREAM + "'choices':[{'delta':{'refusal':'no'}}]}")),
                      END)))
          .startsWith(
              HEAD
                  + ",'system_fingerprint':'fp','choices':[{'index':0,'delta':{'role':'assistant'},"
                  + "'x':1.0}],'obfuscation':'zz'}",
              HEAD + ",'choices':[{'delta':{'refusal':'no'}}]}",
              end("stop", "'stop'"));
    }

    @Test
    @DisplayName("puts each text into its template, with the gateway's own head")
    void templates() {
      FrameTemplate one =
          template(
              UPSTREAM
                  + "'choices':[{'index':0,'delta':{'content':'TEXT'},'logprobs':null}],'x':2}");
      FrameTemplate other =
          template(UPSTREAM + "'choices':[{'index':0,'delta':{'content':'TEXT','y':1}}]}");
      FrameTemplate thought =
          template(UPSTREAM + "'choices':[{'index':0,'delta':{'reasoning_content':'TEXT'}}]}");
      String first =
          HEAD + ",'choices':[{'index':0,'delta':{'content':'%s'},'logprobs':null}],'x':2}";
      assertThat(
              stream(
                  answered(
                      new Event.TextDelta(Json.of("a"), one),
                      new Event.TextDelta(Json.of("b\\"), one),
                      new Event.ReasoningDelta(Json.of("hm"), thought),
                      new Event.TextDelta(Json.of("c"), other),
                      new Event.TextDelta(Json.of("d"), one),
                      END)))
          .startsWith(
              first.formatted("a"),
              first.formatted("b\\\\"),
              HEAD + ",'choices':[{'index':0,'delta':{'reasoning':'hm'}}]}",
              HEAD + ",'choices':[{'index':0,'delta':{'content':'c','y':1}}]}",
              first.formatted("d"));
    }

    @Test
    @DisplayName("ignores a template of another format, or one without a place for the text")
    void foreignShapes() {
      FrameTemplate foreign =
          new FrameTemplate(
              Dialect.MESSAGES, json("{'delta':{'text':'TEXT'}}"), new byte[0], new byte[0]);
      FrameTemplate withoutPlace = template("{'choices':[{'delta':{'other':'TEXT'}}]}");
      assertThat(
              stream(
                  answered(
                      new Event.TextDelta(Json.of("a"), foreign),
                      new Event.TextDelta(Json.of("b"), withoutPlace),
                      END)))
          .startsWith(ROLE, delta("'content':'a'"), delta("'content':'b'"));
    }

    @Test
    @DisplayName("drops unmodelled frames of another format")
    void foreignFrames() {
      assertThat(
              stream(
                  answered(
                      new Event.TextDelta("a"),
                      new Event.OtherContent(json("{'type':'content_block_start'}")),
                      END)))
          .containsExactly(
              ROLE, delta("'content':'a'"), end("stop", "'stop'"), USAGE_CHUNK, "[DONE]");
    }

    @Proves("chat.answer.last")
    @Test
    @DisplayName("adds the native reason to its finish and moves its usage to the last chunk")
    void finish() {
      assertThat(
              stream(
                  answered(
                      new Event.TextDelta("a"),
                      new Event.UsageReport(
                          Usage.NONE,
                          json(
                              UPSTREAM
                                  + "'choices':[],'usage':{'prompt_tokens':99,'cost':7,"
                                  + "'completion_tokens_details':{'x':1},'z':true}}")),
                      new Event.Finished(
                          StopReason.LENGTH,
                          "max_tokens",
                          json(
                              UPSTREAM
                                  + "'choices':[{'index':0,'delta':{},'finish_reason':'max_tokens'}],"
                                  + "'usage':{}}")))))
          .endsWith(
              end("length", "'max_tokens'"),
              HEAD
                  + ",'choices':[],'usage':{'prompt_tokens':10,'completion_tokens':5,"
                  + "'total_tokens':15,'completion_tokens_details':{'x':1},'z':true,"
                  + "'cost':0.000021,'is_byok':false,'cost_details':{"
                  + "'upstream_inference_cost':0.00002,'upstream_inference_prompt_cost':0.00001,"
                  + "'upstream_inference_completions_cost':0.00001}}}",
              "[DONE]");
    }

    @Test
    @DisplayName("has one line for each chunk, also when the upstream's chunk has several")
    void lineBreaks() {
      String pretty = "{\n 'choices': [\r\n{'index': 0, 'delta': {'content': 'TEXT'} } ] }";
      assertThat(
              stream(
                  answered(
                      new Event.Started(json("{'choices':[\n{'index':0,'delta':{}}]}")),
                      new Event.TextDelta(Json.of("a"), template(pretty)),
                      new Event.UsageReport(
                          Usage.NONE, json("{'choices':[],'usage':{\n'prompt_tokens':\n1}}")),
                      END)))
          .hasSize(5);
    }
  }

  @Nested
  @DisplayName("of an answer that was not streamed")
  class WholeAnswer {
    @Test
    @DisplayName("has, for each choice, one chunk with everything and one that ends it")
    void fromDocument() {
      var source =
          json(
              "{'id':'up','choices':[{'index':0,'message':{'role':'assistant','content':'hi',"
                  + "'tool_calls':[{'id':'c'}]},'finish_reason':'eos','logprobs':null}]}");
      assertThat(
              stream(
                  answered(
                      new Event.CompleteAnswer(
                          new Answer(
                              List.of(),
                              StopReason.END,
                              "eos",
                              Usage.NONE,
                              Dialect.CHAT,
                              source)))))
          .containsExactly(
              delta("'role':'assistant','content':'hi','tool_calls':[{'index':0,'id':'c'}]"),
              HEAD
                  + ",'choices':[{'index':0,'delta':{},'finish_reason':'stop','logprobs':null,"
                  + "'native_finish_reason':'eos'}]}",
              USAGE_CHUNK,
              "[DONE]");
    }

    @Test
    @DisplayName("is made from the answer's parts when the answer is of another format")
    void fromParts() {
      var answer =
          new Answer(
              List.of(new Part.Text("hi")), StopReason.END, null, null, Dialect.GEMINI, null);
      assertThat(stream(answered(new Event.CompleteAnswer(answer))))
          .startsWith(delta("'role':'assistant','content':'hi'"));
    }
  }

  @Proves("routing.other.metadata.place")
  @Test
  @DisplayName("carries router metadata in its usage chunk, and only on request")
  void metadata() {
    var requested = stream(answered(new Event.TextDelta("a"), END), true, false);
    assertThat(requested.get(3)).contains("'usage':").contains("'router_metadata':{'requested':");
    assertThat(requested.subList(0, 3)).noneMatch(chunk -> chunk.contains("router_metadata"));
    assertThat(stream(answered(new Event.TextDelta("a"), END)))
        .noneMatch(chunk -> chunk.contains("router_metadata"));
  }

  @Proves({"chat.debug", "events.2", "chat.member.debug", "chat.answer.debug"})
  @Test
  @DisplayName("shows upstream bodies first, and only on request")
  void debug() {
    Event debug = new Event.UpstreamBodyEcho(json("{\n'model':'up'}"));
    assertThat(stream(answered(debug, new Event.TextDelta("a"), END), false, true))
        .startsWith(HEAD + ",'choices':[],'debug':{'echo_upstream_body':{'model':'up'}}}", ROLE);
    assertThat(stream(answered(debug, new Event.TextDelta("a"), END))).startsWith(ROLE);
  }

  @Test
  @DisplayName("writes nothing after it is closed")
  void closed() throws IOException {
    var stream =
        new AnswerStream(
            answered(new Event.TextDelta("a"), END), (event, out) -> out.ascii("written"));
    stream.close();
    var out = new ByteArrayOutputStream();
    assertThat(stream.writeNext(out)).isFalse();
    assertThat(stream.ready()).isTrue();
    assertThat(out.size()).isZero();
  }

  @Proves({"routing.tier.served", "chat.answer.service_tier"})
  @Test
  @DisplayName("names the service tier of the endpoint unless the upstream names one")
  void tier() {
    var head = new AnswerHeader(Replies.ID, 1, "m", "p", "priority");
    var out = new io.strowger.spi.json.JsonOutput(64);
    new ChatFrames(head).write(json("{'choices':[]}"), out);
    new ChatFrames(head).write(json("{'service_tier':'flex'}"), out);
    assertThat(new String(out.toByteArray(), java.nio.charset.StandardCharsets.UTF_8))
        .contains("\"choices\":[],\"service_tier\":\"priority\"}")
        .contains("\"p\",\"service_tier\":\"flex\"}");
  }
}
