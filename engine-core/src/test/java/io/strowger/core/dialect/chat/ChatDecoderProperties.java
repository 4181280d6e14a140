package io.strowger.core.dialect.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Mutation;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.TestJson;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.json.RandomDocument;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Message.ContentForm;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Label("A chat body")
class ChatDecoderProperties {
  private static final Json.Obj VALID_BODY =
      ChatRequestBodies.json(
          "{'model':'a/b','messages':[{'role':'system','content':'s'},{'role':'user','content':["
              + "{'type':'text','text':'t','cache_control':{'type':'ephemeral'}},"
              + "{'type':'image_url','image_url':{'url':'https://u','detail':'low'}}]},{'role':'assistant',"
              + "'tool_calls':[{'id':'c','type':'function','function':{'name':'f',"
              + "'arguments':'{}'}}]},{'role':'tool','tool_call_id':'c','content':'r'}],"
              + "'temperature':1,'stop':['x'],'tools':[{'type':'function','function':{'name':'f',"
              + "'parameters':{}}}],'tool_choice':{'type':'function','function':{'name':'f'}},"
              + "'response_format':{'type':'json_schema','json_schema':{'name':'n','schema':{}}},"
              + "'provider':{'order':['a'],'sort':null,'max_price':{}},'plugins':[{'id':'web'}],"
              + "'reasoning':{'effort':'low'},'metadata':{'k':'v'},"
              + "'stop_server_tools_when':[{'type':'has_tool_call','tool_name':'x'}]}");

  @Property
  @Label("with one value replaced by random JSON is read or refused, and never breaks the decoder")
  void neverBreaks(@ForAll Random random) throws MalformedJsonException {
    var other = new RandomDocument(random);
    other.document();
    Json replacement = new JacksonCodec().parse(other.bytes());
    Json.Obj body = (Json.Obj) replacedSomewhere(VALID_BODY, replacement, random);
    var problems = new Problems(5);
    InferenceRequest request = ChatRequestBodies.DECODER.decode(body, problems);
    assertThat(request.members()).isSameAs(body);
    assertThat(problems.list()).hasSizeLessThanOrEqualTo(6);
    for (Problem problem : problems.list()) {
      assertThat(problem.allowed()).isNotEmpty();
      assertThat(problem.value()).hasSizeLessThan(300);
    }
  }

  /** Returns the JSON with one value, at any depth, replaced. */
  private static Json replacedSomewhere(Json json, Json replacement, Random random) {
    if (json instanceof Json.Obj object && object.size() > 0) {
      int at = random.nextInt(object.size());
      Json changed = replacedHereOrDeeper(object.value(at), replacement, random);
      return object.with(object.name(at), changed);
    }
    if (json instanceof Json.Arr items && !items.isEmpty()) {
      int at = random.nextInt(items.size());
      return items.with(at, replacedHereOrDeeper(items.get(at), replacement, random));
    }
    return replacement;
  }

  private static Json replacedHereOrDeeper(Json json, Json replacement, Random random) {
    boolean leaf = !(json instanceof Json.Obj || json instanceof Json.Arr);
    return leaf || random.nextInt(3) == 0
        ? replacement
        : replacedSomewhere(json, replacement, random);
  }

  @Provide
  Arbitrary<Json.Obj> bodies() {
    return ChatBodies.valid();
  }

  @Provide
  Arbitrary<Mutation> mutations() {
    return Arbitraries.of(ChatMutations.all());
  }

  @Property
  @Label("that is valid is read, and the typed request agrees with its JSON")
  void accepted(@ForAll("bodies") Json.Obj generated) {
    Json.Obj body = TestJson.parse(generated);
    InferenceRequest request = ChatRequestBodies.decode(body);
    assertThat(request.members()).isSameAs(body);
    Json.Arr messages = Objects.requireNonNull(body.list("messages"));
    assertThat(request.messages()).hasSize(messages.size());
    for (int i = 0; i < messages.size(); i++) {
      assertSameMessage(request.messages().get(i), (Json.Obj) messages.get(i));
    }
    Json.Arr tools = body.list("tools");
    assertThat(request.tools()).hasSize(tools == null ? 0 : tools.size());
    assertThat(request.streaming()).isEqualTo(Json.TRUE.equals(body.get("stream")));
    assertThat(request.maxOutputTokens())
        .isEqualTo(body.longValue("max_completion_tokens", body.longValue("max_tokens", 0)));
    assertThat(request.user()).isEqualTo(body.text("user"));
    assertThat(request.sessionId()).isEqualTo(body.text("session_id"));
    for (Parameter parameter : Parameter.values()) {
      assertThat((request.parameterMask() & parameter.bit()) != 0)
          .as(parameter.wireName())
          .isEqualTo(uses(body, parameter));
    }
  }

  private static void assertSameMessage(Message message, Json.Obj json) {
    assertThat(message.source()).isSameAs(json);
    assertThat(message.role().wireName()).isEqualTo(json.text("role"));
    Json content = json.get("content");
    assertThat(message.contentForm())
        .isEqualTo(
            content == null
                ? ContentForm.ABSENT
                : content instanceof Json.Null
                    ? ContentForm.NULL
                    : content instanceof Json.Str ? ContentForm.STRING : ContentForm.LIST);
    int contentParts =
        content instanceof Json.Arr parts ? parts.size() : content instanceof Json.Str ? 1 : 0;
    Json.Arr calls = json.list("tool_calls");
    assertThat(message.parts().stream().filter(part -> !isBesideContent(part)))
        .hasSize(json.has("tool_call_id") ? 1 : contentParts + (calls == null ? 0 : calls.size()));
    assertSameReasoning(message, json);
    for (int i = 0; i < message.extras().size(); i++) {
      assertThat(json.get(message.extras().name(i))).isSameAs(message.extras().value(i));
    }
  }

  private static boolean isBesideContent(Part part) {
    return part instanceof Part.Thinking
        || part instanceof Part.ServerToolRun
        || part instanceof Part.Refusal;
  }

  /**
   * Asserts that each item of reasoning_details is the source of a part, and that a refusal is a
   * part.
   */
  private static void assertSameReasoning(Message message, Json.Obj json) {
    Json.Arr details = json.list("reasoning_details");
    List<Json> sources = new ArrayList<>();
    for (Part part : message.parts()) {
      if (isBesideContent(part) && part.source() != null) {
        sources.add(part.source());
      }
    }
    boolean isAssistant = message.role() == Message.Role.ASSISTANT;
    assertThat(sources).isEqualTo(details == null || !isAssistant ? List.of() : details);
    String refusal = isAssistant ? json.text("refusal") : null;
    assertThat(message.parts().contains(new Part.Refusal(Json.of("no"), null)))
        .isEqualTo("no".equals(refusal));
  }

  private static boolean uses(Json.Obj body, Parameter parameter) {
    Json.Obj format = body.object("response_format");
    String type = format == null ? "text" : String.valueOf(format.text("type"));
    return switch (parameter) {
      case RESPONSE_FORMAT -> !type.equals("text") && !type.equals("json_schema");
      case STRUCTURED_OUTPUTS -> type.equals("json_schema");
      case TOOLS -> body.list("tools") instanceof Json.Arr tools && !tools.isEmpty();
      default -> body.has(parameter.wireName()) && body.get(parameter.wireName()) != Json.NULL;
    };
  }

  @Property
  @Label("that breaks one rule has exactly one problem, with the pointer of the wrong member")
  void refused(@ForAll("bodies") Json.Obj valid, @ForAll("mutations") Mutation mutation) {
    var problems = new Problems();
    ChatRequestBodies.DECODER.decode(TestJson.parse(mutation.of(valid)), problems);
    assertThat(problems.list())
        .singleElement()
        .satisfies(
            (Problem problem) -> {
              assertThat(problem.pointer()).hasToString(mutation.at());
              assertThat(problem.allowed()).isEqualTo(mutation.allowed());
            });
  }

  @Property(tries = 1)
  @Label("is valid before one of its values is replaced")
  void validBefore() {
    assertThat(ChatRequestBodies.problems(VALID_BODY)).isEmpty();
  }
}
