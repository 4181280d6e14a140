package io.strowger.core;

import static io.strowger.core.House.APP;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.House.Answer;
import io.strowger.core.config.SecretKey;
import io.strowger.core.memory.MemoryStores;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.DestinationCounts;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Finished calls")
class BroadcastTest {
  private static final String PATH = "/observability/destinations";
  private static final String THREAD = "destination-delivery";

  private final TestAmbient ambient = TestAmbient.at(House.NOW);
  private House house =
      new House("", new MemoryStores(), ambient, () -> SecretKey.of(new byte[32]));

  @AfterEach
  void noThreads() {
    house.close();
    ambient.assertNoThreadsLeft();
  }

  private String hook(String more) {
    Answer made =
        house.manage(
            "POST",
            PATH,
            "{'name':'h','type':'webhook','config':{'url':'http://hook.test'}" + more + "}");
    assertThat(made.message()).isEmpty();
    return made.text("id");
  }

  private String ask(String more) {
    Answer answer = house.ask(APP, "acme/small", more);
    assertThat(answer.message()).isEmpty();
    return Objects.requireNonNull(answer.body().text("id"));
  }

  private DestinationCounts counts() {
    return house.gateway.destinations().getFirst();
  }

  @Proves({"chat.trace", "resources.destination.trace"})
  @Test
  @DisplayName("are sent to a destination with what the contract's payload has")
  void sent() throws InterruptedException {
    hook("");
    String id =
        ask(
            ",'user':'u-1','session_id':'s-1','trace':{'trace_id':'0af7651916cd43dd8448eb211c80319c',"
                + "'trace_name':'job','generation_name':'step','parent_span_id':'00f067aa0ba902b7',"
                + "'team':'red','n':5}");
    Json.Obj told = house.destinations.nextBody();
    assertThat(told)
        .isEqualTo(
            House.json(
                """
                {'id':'%s','trace_id':'0af7651916cd43dd8448eb211c80319c',
                 'parent':'00f067aa0ba902b7','name':'step','trace_name':'job',
                 'metadata':{'team':'red','n':5},'model':'acme/small','provider':'beta',
                 'finish_reason':'stop','error':null,'prompt_tokens':10,'completion_tokens':1,
                 'cost':null,'user':'u-1','session':'s-1','key_name':null,'title':null,
                 'input':[{'role':'user','content':'hi'}],
                 'output':[{'index':0,'finish_reason':'stop',
                            'message':{'role':'assistant','content':'y'}}]}\
                """
                    .formatted(id)));
  }

  @Proves("resources.destination.trace")
  @Test
  @DisplayName("have a name and a trace of their own where the request gives none")
  void unnamed() throws InterruptedException {
    hook("");
    ask("");
    Json.Obj told = house.destinations.nextBody();
    assertThat(told.text("name")).isEqualTo("acme/small");
    assertThat(told.text("trace_id")).matches("[0-9a-f]{32}");
    assertThat(told.get("parent")).isEqualTo(Json.NULL);
  }

  @Proves("resources.destination.trace")
  @Test
  @DisplayName("have the first 128 characters of a longer user")
  void longUser() throws InterruptedException {
    hook("");
    ask(",'user':'" + "u".repeat(128) + "v'");
    assertThat(house.destinations.nextBody().text("user")).isEqualTo("u".repeat(128));
    ask(",'user':'" + "u".repeat(128) + "'");
    assertThat(house.destinations.nextBody().text("user")).isEqualTo("u".repeat(128));
  }

  @Proves({"destination.privacy_mode", "resources.destination.privacy"})
  @Test
  @DisplayName("are sent without messages and choices in privacy mode, and with all else")
  void privacy() throws InterruptedException {
    hook(",'privacy_mode':true,'broadcast_generation_cost':true");
    ask(",'trace':{'team':'red'}");
    Json.Obj told = house.destinations.nextBody();
    assertThat(told.get("input")).isEqualTo(Json.NULL);
    assertThat(told.get("output")).isEqualTo(Json.NULL);
    assertThat(told.get("metadata")).isEqualTo(House.json("{'team':'red'}"));
    assertThat(told.get("cost")).isEqualTo(House.json("{'a':0.0055}").get("a"));
    assertThat(told.get("prompt_tokens")).isEqualTo(Json.of(10));
  }

  @Proves({
    "destination.broadcast_generation_identity",
    "destination.broadcast_generation_request_context"
  })
  @Test
  @DisplayName(
      "tell whose key it was, and where it came from, only where the destination has it so")
  void switches() throws InterruptedException {
    house.headers.put("X-Title", "Shop");
    String silent = hook("");
    ask("");
    Json.Obj told = house.destinations.nextBody();
    assertThat(told.get("title")).isEqualTo(Json.NULL);
    assertThat(told.get("key_name")).isEqualTo(Json.NULL);
    house.manage("DELETE", PATH + "/" + silent, "");
    String both =
        hook(",'broadcast_generation_identity':true,'broadcast_generation_request_context':true");
    ask("");
    told = house.destinations.nextBody();
    assertThat(told.text("title")).isEqualTo("Shop");
    assertThat(told.text("key_name")).isEqualTo("app");
    assertThat(told.get("cost")).isEqualTo(Json.NULL);
    house.manage("PATCH", PATH + "/" + both, "{'broadcast_generation_identity':false}");
    ask("");
    told = house.destinations.nextBody();
    assertThat(told.text("title")).isEqualTo("Shop");
    assertThat(told.get("key_name")).isEqualTo(Json.NULL);
  }

  @Proves("resources.destination.trace")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type':'image_url','image_url':{'url':'data:image/png;base64,AAAA'}}",
        "{'type':'input_audio','input_audio':{'data':'AAAA','format':'wav'}}",
        "{'type':'video_url','video_url':{'url':'data:video/mp4;base64,AAAA'}}",
        "{'type':'file','file':{'filename':'a.pdf','file_data':'data:application/pdf;base64,AAAA'}}"
      })
  @DisplayName("are sent without pictures, sound, films and documents")
  void stripped(String part) throws InterruptedException {
    hook("");
    house.send(
        APP,
        "POST",
        "/chat/completions",
        "{'model':'acme/small','max_tokens':16,'messages':[{'role':'user','content':["
            + "{'type':'text','text':'look'},"
            + part
            + "]}]}");
    String told = house.destinations.nextBody().toString();
    assertThat(told).contains("look").doesNotContain("AAAA");
  }

  @Proves("resources.destination.trace")
  @Test
  @DisplayName("are sent without the pictures in the results of tools")
  void strippedResults() throws InterruptedException {
    hook("");
    house.send(
        APP,
        "POST",
        "/messages",
        "{'model':'acme/small','max_tokens':16,"
            + "'tools':[{'name':'see','input_schema':{'type':'object'}}],'messages':["
            + "{'role':'user','content':'look'},"
            + "{'role':'assistant','content':[{'type':'tool_use','id':'t1','name':'see','input':{}}]},"
            + "{'role':'user','content':[{'type':'tool_result','tool_use_id':'t1','content':[{'type':'text','text':'a"
            + " tree'},{'type':'image','source':{'type':'base64',"
            + "'media_type':'image/png','data':'AAAA'}}]}]}]}");
    String told = house.destinations.nextBody().toString();
    assertThat(told).contains("look", "a tree").doesNotContain("AAAA");
  }

  @Test
  @DisplayName("that failed are sent too, with what the caller was told")
  void failed() throws InterruptedException {
    hook("");
    house.ask(APP, "acme/none");
    Json.Obj told = house.destinations.nextBody();
    assertThat(told.text("error")).isEqualTo("invalid_request");
    assertThat(told.get("provider")).isEqualTo(Json.NULL);
    assertThat(told.get("output")).isEqualTo(Json.array());
  }

  @Test
  @DisplayName("are sent without what a content filter of the account takes out or blocks")
  void contentFilter() throws InterruptedException {
    house.close();
    house =
        new House(
            "'account':{'guardrails':[{'name':'g','content_filter_builtins':["
                + "{'slug':'email','action':'redact'},{'slug':'ssn','action':'block'}]}]}",
            new MemoryStores(),
            ambient,
            () -> SecretKey.of(new byte[32]));
    hook("");
    assertThat(say("I am a@b.co").status()).isEqualTo(200);
    assertThat(house.destinations.nextBody().toString()).contains("[EMAIL]").doesNotContain("a@b");
    assertThat(say("123-45-6789").status()).isEqualTo(403);
    Json.Obj blocked = house.destinations.nextBody();
    assertThat(blocked.text("error")).isEqualTo("permission_denied");
    assertThat(blocked.get("input")).isEqualTo(Json.array());
  }

  private Answer say(String text) {
    return house.send(
        APP,
        "POST",
        "/chat/completions",
        "{'model':'acme/small','max_tokens':16,'messages':[{'role':'user','content':'%s'}]}"
            .formatted(text));
  }

  @Proves("destination.filter_rules")
  @Test
  @DisplayName("are sent as the filter rules say, which look at what is not told as well")
  void filtered() throws InterruptedException {
    hook(
        ",'privacy_mode':true,'filter_rules':{'groups':[{'rules':[{'field':'input','operator':"
            + "'contains','value':'hi'},{'field':'api_key_name','operator':'equals','value':'app'},"
            + "{'field':'user_id','operator':'equals','value':'u'}]}]}");
    ask("");
    ask(",'user':'u'");
    assertThat(house.destinations.nextBody().text("user")).isEqualTo("u");
    assertThat(house.destinations.nextBody(0)).isNull();
  }

  @Proves({"destination.sampling_rate", "resources.destination.sampling"})
  @Test
  @DisplayName("are sent by session, all or none of it, and differently by destination")
  void sampled() throws InterruptedException {
    hook(",'sampling_rate':0.5");
    int in = 0;
    for (int i = 0; i < 40; i++) {
      ask(",'session_id':'s" + i + "'");
      ask(",'session_id':'s" + i + "'");
      settle();
      int sent = house.destinations.rest().size();
      assertThat(sent).isIn(0, 2);
      in += sent / 2;
    }
    assertThat(in).isBetween(8, 32);
  }

  @Test
  @DisplayName("are sent to those of several destinations that want them, to each what it is told")
  void several() throws InterruptedException {
    String none = ",'api_key_hashes':['" + "0".repeat(64) + "']";
    for (String more : List.of(none, "", none, ",'privacy_mode':true", "")) {
      hook(more);
    }
    ask("");
    int told = 0;
    for (int i = 0; i < 3; i++) {
      told += house.destinations.nextBody().get("input") instanceof Json.Arr ? 1 : 0;
    }
    settle();
    assertThat(told).isEqualTo(2);
    assertThat(house.destinations.rest()).isEmpty();
  }

  /** Waits until everything that was handed over was delivered. */
  private void settle() {
    while (house.gateway.destinations().stream().anyMatch(one -> one.queued() > 0)) {
      Thread.onSpinWait();
    }
  }

  @Proves("destination.api_key_hashes")
  @Test
  @DisplayName("are sent for the keys of the list only")
  void keys() {
    Json.Obj made = house.manage("POST", "/keys", "{'name':'k'}").body();
    Json.Obj data = Objects.requireNonNull(made.object("data"));
    hook(",'api_key_hashes':['" + data.text("hash") + "']");
    ask("");
    settle();
    assertThat(house.destinations.rest()).isEmpty();
    assertThat(house.ask(Objects.requireNonNull(made.text("key")), "acme/small").status())
        .isEqualTo(200);
    settle();
    assertThat(house.destinations.rest()).hasSize(1);
  }

  @Test
  @DisplayName("are sent to nobody of another workspace, or of one that does not want it")
  void workspaces() {
    String other = house.manage("POST", "/workspaces", "{'name':'W','slug':'w'}").text("id");
    hook(",'workspace_id':'" + other + "'");
    ask("");
    Json.Obj made =
        house.manage("POST", "/keys", "{'name':'k','workspace_id':'" + other + "'}").body();
    String key = Objects.requireNonNull(made.text("key"));
    house.ask(key, "acme/small");
    settle();
    assertThat(house.destinations.rest()).hasSize(1);
    house.manage("PATCH", "/workspaces/" + other, "{'is_observability_broadcast_enabled':false}");
    house.ask(key, "acme/small");
    settle();
    assertThat(house.destinations.rest()).isEmpty();
    hook("");
    settle();
    ask("");
    settle();
    assertThat(house.destinations.rest()).hasSize(1);
  }

  @Proves("destination.enabled")
  @Test
  @DisplayName("are not sent to a destination that is disabled, and again when it is enabled")
  void disabled() {
    String id = hook("");
    house.manage("PATCH", PATH + "/" + id, "{'enabled':false}");
    ask("");
    house.manage("PATCH", PATH + "/" + id, "{'enabled':true}");
    ask("");
    settle();
    assertThat(house.destinations.rest()).hasSize(1);
    assertThat(counts().delivered()).isEqualTo(1);
  }

  @Test
  @DisplayName("are sent to the destinations of the file, which a reload exchanges")
  void file() throws InterruptedException {
    house.close();
    String file =
        "'observability_destinations':[{'id':'d','name':'n','type':'webhook',"
            + "'config':{'url':'http://%s.test'}%s}]";
    house = new House(file.formatted("one", ""), new MemoryStores(), ambient, () -> null);
    ask("");
    assertThat(house.destinations.next().uri().getHost()).isEqualTo("one.test");
    house.gateway.reload(House.read(file.formatted("two", "")));
    ask("");
    assertThat(house.destinations.next().uri().getHost()).isEqualTo("two.test");
    settle();
    assertThat(counts().delivered()).isEqualTo(2);
    house.gateway.reload(House.read(file.formatted("two", ",'enabled':false")));
    ask("");
    house.gateway.reload(House.read(""));
    ask("");
    assertThat(house.destinations.rest()).isEmpty();
    assertThat(house.gateway.destinations()).isEmpty();
  }

  @Test
  @DisplayName("are sent again after 429, no sooner than it says, and 500, and each counts once")
  void again() {
    hook("");
    house.destinations.then(429, "Retry-After", "40").then(500).then(0);
    ask("");
    ambient.awaitSleep(THREAD);
    ambient.advance(Duration.ofSeconds(39));
    assertThat(house.destinations.rest()).hasSize(1);
    ambient.advance(Duration.ofSeconds(1));
    ambient.awaitSleep(THREAD);
    ambient.advance(Duration.ofSeconds(2));
    ambient.awaitSleep(THREAD);
    ambient.advance(Duration.ofSeconds(4));
    settle();
    assertThat(house.destinations.rest()).hasSize(3);
    assertThat(counts())
        .satisfies(
            counts -> {
              assertThat(counts.delivered()).isEqualTo(1);
              assertThat(counts.failures()).isEqualTo(3);
              assertThat(counts.failing()).isFalse();
              assertThat(counts.droppedFailed()).isZero();
            });
  }

  @Test
  @DisplayName("are dropped when the destination refuses them, redirects, or asks for too long")
  void dropped() {
    hook("");
    house
        .destinations
        .then(401)
        .then(302, "Location", "http://127.0.0.1/")
        .then(503, "Retry-After", "301");
    for (int i = 0; i < 3; i++) {
      ask("");
      settle();
    }
    assertThat(house.destinations.rest()).hasSize(3);
    assertThat(counts().droppedRefused()).isEqualTo(2);
    assertThat(counts().droppedFailed()).isEqualTo(1);
    assertThat(counts().failing()).isTrue();
  }

  @Test
  @DisplayName("wait for as long as a destination wants, also those behind one that was dropped")
  void leftAlone() {
    hook("");
    house.destinations.then(503, "Retry-After", "1000");
    ask("");
    ambient.awaitSleep(THREAD);
    assertThat(counts().droppedFailed()).isEqualTo(1);
    ask("");
    ambient.advance(Duration.ofSeconds(999));
    ambient.awaitSleep(THREAD);
    assertThat(house.destinations.rest()).hasSize(1);
    ambient.advance(Duration.ofSeconds(1));
    settle();
    assertThat(counts().delivered()).isEqualTo(1);
  }

  @Test
  @DisplayName("are given up and sent again when an exchange takes a minute, however it hangs")
  void endless() {
    hook("");
    house.destinations.then(-1);
    ask("");
    ambient.awaitSleep("destination-deadline");
    ambient.advance(Duration.ofSeconds(60));
    ambient.awaitSleep(THREAD); // between the tries
    ambient.advance(Duration.ofSeconds(1));
    settle();
    assertThat(counts().delivered()).isEqualTo(1);
    assertThat(counts().failures()).isEqualTo(1);
  }

  @Test
  @DisplayName("are not sent again when the answer was good and its body breaks off")
  void brokenBody() {
    hook("");
    house.destinations.thenBroken(200);
    ask("");
    settle();
    assertThat(house.destinations.rest()).hasSize(1);
    assertThat(counts().delivered()).isEqualTo(1);
    assertThat(counts().failures()).isZero();
  }

  @Test
  @DisplayName("are sent in smaller requests when there are too many in one")
  void tooLarge() {
    String id = hook("");
    house.manage("PATCH", PATH + "/" + id, "{'config':{'url':'http://batch.test'}}");
    house.destinations.then(-1).then(200).then(413).then(413);
    ask(""); // under way while the others gather
    ambient.awaitSleep("destination-deadline");
    for (int i = 0; i < 8; i++) {
      ask("");
    }
    ambient.advance(Duration.ofSeconds(60));
    ambient.awaitSleep(THREAD);
    ambient.advance(Duration.ofSeconds(1));
    settle();
    assertThat(counts().delivered()).isEqualTo(9);
    assertThat(counts().droppedRefused()).isZero();
    assertThat(house.destinations.rest().size()).isBetween(7, 9); // one twice, 8, 4, and 2 or more
  }

  @Test
  @DisplayName("that are tried again go where the destination leads by then")
  void changedMeanwhile() throws InterruptedException {
    String id = hook("");
    house.destinations.then(500);
    ask("");
    ambient.awaitSleep(THREAD);
    house.destinations.next();
    assertThat(
            house
                .manage("PATCH", PATH + "/" + id, "{'config':{'url':'http://other.test'}}")
                .status())
        .isEqualTo(200);
    ambient.advance(Duration.ofSeconds(1));
    assertThat(house.destinations.next().uri().getHost()).isEqualTo("other.test");
    settle();
    assertThat(counts().delivered()).isEqualTo(1);
  }

  @Test
  @DisplayName("are dropped after five minutes of 500, and the next go on")
  void patience() {
    hook("");
    for (int i = 0; i < 40; i++) {
      house.destinations.then(500);
    }
    ask("");
    while (counts().queued() > 0) {
      if (ambient.sleepers() > 1) { // the watch of the store is one
        ambient.advance(Duration.ofSeconds(30));
      }
      Thread.onSpinWait();
    }
    assertThat(counts().droppedFailed()).isEqualTo(1);
    assertThat(house.destinations.rest()).hasSizeBetween(3, 20);
  }

  @Proves("resources.destination.sampling")
  @Test
  @DisplayName("never wait for a destination that hangs; what is too much is dropped and counted")
  void hangs() {
    hook("");
    house.destinations.then(-1);
    int calls = 2_100;
    for (int i = 0; i < calls; i++) {
      ask("");
    }
    DestinationCounts counts = counts();
    assertThat(counts.queued()).isEqualTo(2_048);
    assertThat(counts.droppedFull()).isEqualTo(calls - 2_048);
    assertThat(counts.queuedBytes()).isBetween(2_048L * 1_024, 2_048L * 2_048);
    house.close(); // ends the exchange, in a bounded time
    assertThat(counts().queued()).isZero();
    assertThat(counts().delivered() + counts().droppedFailed() + counts().droppedFull())
        .isEqualTo(calls);
  }

  @Test
  @DisplayName("that wait are delivered when the gateway closes, without waiting between tries")
  void flushed() {
    hook("");
    house.destinations.then(500);
    ask("");
    ambient.awaitSleep(THREAD);
    ask("");
    house.close();
    assertThat(counts().delivered()).isEqualTo(1);
    assertThat(counts().droppedFailed()).isEqualTo(1);
    ask401();
  }

  /** Closed: a call is refused and told nobody. */
  private void ask401() {
    assertThat(house.ask(APP, "acme/small").status()).isEqualTo(503);
    assertThat(counts().queued()).isZero();
  }
}
