package io.strowger.core.decode.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Problems;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.json.RandomDocument;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.JsonCodec.MalformedJson;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;

@Label("A chat body with something else in one place")
class ChatDecoderProperties {
  private static final Json.Obj GOOD =
      Documents.json(
          "{'model':'a/b','messages':[{'role':'system','content':'s'},{'role':'user','content':["
              + "{'type':'text','text':'t','cache_control':{'type':'ephemeral'}},"
              + "{'type':'image_url','image_url':{'url':'u','detail':'low'}}]},{'role':'assistant',"
              + "'tool_calls':[{'id':'c','type':'function','function':{'name':'f',"
              + "'arguments':'{}'}}]},{'role':'tool','tool_call_id':'c','content':'r'}],"
              + "'temperature':1,'stop':['x'],'tools':[{'type':'function','function':{'name':'f',"
              + "'parameters':{}}}],'tool_choice':{'type':'function','function':{'name':'f'}},"
              + "'response_format':{'type':'json_schema','json_schema':{'name':'n','schema':{}}},"
              + "'provider':{'order':['a'],'sort':null,'max_price':{}},'plugins':[{'id':'web'}],"
              + "'reasoning':{'effort':'low'},'metadata':{'k':'v'},"
              + "'stop_server_tools_when':[{'type':'has_tool_call','tool_name':'x'}]}");

  @Property
  @Label("is read or refused with places, and never breaks the decoder")
  void neverBreaks(@ForAll Random random) throws MalformedJson {
    var other = new RandomDocument(random);
    other.document();
    Json odd = new JacksonCodec().parse(other.bytes());
    Json.Obj body = (Json.Obj) replacedSomewhere(GOOD, odd, random);
    var problems = new Problems(5);
    InferenceRequest request = Documents.DECODER.decode(body, problems);
    assertThat(request.members()).isSameAs(body);
    assertThat(problems.list()).hasSizeLessThanOrEqualTo(6);
    for (Problem problem : problems.list()) {
      assertThat(problem.allowed()).isNotEmpty();
      assertThat(problem.given()).hasSizeLessThan(300);
    }
  }

  /** Replaces a value some way down: one of this object, or something inside of it. */
  private static Json replacedSomewhere(Json json, Json odd, Random random) {
    if (json instanceof Json.Obj object && object.size() > 0) {
      int at = random.nextInt(object.size());
      Json changed = deeper(object.value(at), odd, random);
      return object.with(object.name(at), changed);
    }
    if (json instanceof Json.Arr items && !items.isEmpty()) {
      int at = random.nextInt(items.size());
      return items.with(at, deeper(items.get(at), odd, random));
    }
    return odd;
  }

  private static Json deeper(Json json, Json odd, Random random) {
    boolean leaf = !(json instanceof Json.Obj || json instanceof Json.Arr);
    return leaf || random.nextInt(3) == 0 ? odd : replacedSomewhere(json, odd, random);
  }

  @Property(tries = 1)
  @Label("is good as long as nothing was replaced")
  void goodBefore() {
    assertThat(Documents.problems(GOOD)).isEmpty();
  }
}
