package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Cancellation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("The recipe that adds a resource")
class ResourceRecipeTest {
  /** Follows CONTRIBUTING: {@code /notes}, each with a text and a flag, in a workspace. */
  private static SourceEdits editedSources() throws IOException {
    var sources = new SourceEdits();
    addTable(sources);
    addDocuments(sources);
    addOperations(sources);
    return sources;
  }

  // Step 1: its table, like WorkspaceTable; ResourceType defines the kinds of lines
  private static void addTable(SourceEdits sources) {
    sources.add(
        "io.strowger.core.resource.NoteTable",
        """
        package io.strowger.core.resource;

        import static io.strowger.core.decode.Rules.string;
        import static io.strowger.core.decode.Rules.text;
        import static io.strowger.core.resource.ResourceRules.JSON_FLAG;
        import static io.strowger.core.resource.ResourceRules.json;

        import io.strowger.spi.json.Json;

        public final class NoteTable {
          public static final ResourceType TYPE =
              ResourceType.table()
                  .required("text", json(text(1, 20)))
                  .optional("pinned", JSON_FLAG, Json.FALSE)
                  .workspace(string())
                  .build();

          private NoteTable() {}
        }
        """);
  }

  // Step 2: the class that creates, changes and removes its documents, like StoredByokKeys, with
  // entries of AuditAction, and in a workspace through WorkspaceGuard. No request reads a note, so
  // StoreWatch has no copy to drop
  private static void addDocuments(SourceEdits sources) throws IOException {
    sources.add(
        "io.strowger.core.administration.StoredNotes",
        """
        package io.strowger.core.administration;

        import io.strowger.core.ambient.Uuids;
        import io.strowger.core.audit.AuditAction;
        import io.strowger.core.audit.AuditActor;
        import io.strowger.core.audit.AuditLog;
        import io.strowger.core.resource.NoteTable;
        import io.strowger.core.resource.ResourceType;
        import io.strowger.core.resource.ResourceType.Values;
        import io.strowger.core.store.DocumentRepository;
        import io.strowger.core.store.StoreWatch;
        import io.strowger.core.store.WorkspaceGuard;
        import io.strowger.spi.ambient.Ambient;
        import io.strowger.spi.error.ErrorCode;
        import io.strowger.spi.error.GatewayError;
        import io.strowger.spi.store.Document;
        import io.strowger.spi.store.DocumentStore;
        import io.strowger.spi.store.DocumentStore.Write;
        import java.util.ArrayList;
        import java.util.List;
        import org.jspecify.annotations.Nullable;

        public final class StoredNotes {
          private static final ResourceType TYPE = NoteTable.TYPE;

          private final DocumentRepository repository;
          private final WorkspaceGuard workspaceGuard;
          private final Ambient ambient;
          private final AuditLog audit;

          StoredNotes(StoreWatch watch, Ambient ambient) {
            this.repository = new DocumentRepository(watch, "note", ambient);
            this.workspaceGuard = new WorkspaceGuard(watch, ambient);
            this.ambient = ambient;
            this.audit = new AuditLog(ambient);
          }

          public Document create(Values asked, String workspace, AuditActor by) {
            String id = Uuids.next(ambient).toString();
            Document made = repository.newDocument(id, workspace, TYPE.body(asked));
            List<Write> writes =
                List.of(
                    new Write.Insert(made),
                    audit.entry(by, AuditAction.NOTE_CREATE, TYPE, null, made));
            if (!workspaceGuard.writeWithin(workspace, writes)) {
              throw GatewayError.of(ErrorCode.CONFLICT).toException();
            }
            return made;
          }

          public @Nullable Document find(String id) {
            return repository.find(id);
          }

          public DocumentStore.Page list(@Nullable String workspace, long offset, int limit) {
            return repository.list(
                workspace, true, DocumentStore.Order.NEWEST_FIRST, offset, limit);
          }

          public @Nullable Document update(String id, Values change, AuditActor by) {
            return repository.change(
                id,
                (current, at) -> TYPE.next(current, at, change),
                (current, next) ->
                    audit.entry(
                        by, AuditAction.NOTE_UPDATE, TYPE, current, next == null ? current : next));
          }

          public boolean delete(String id, AuditActor by) {
            return repository.remove(
                id, (current, none) -> audit.removal(by, AuditAction.NOTE_DELETE, current));
          }

          /** Returns the writes that remove the notes of a workspace. */
          List<Write> removals(String workspace, AuditActor by) {
            var writes = new ArrayList<Write>();
            for (Document note : repository.findAll(workspace)) {
              writes.add(new Write.Remove(note.kind(), note.id(), note.version()));
              writes.add(audit.removal(by, AuditAction.NOTE_DELETE, note));
            }
            return writes;
          }
        }
        """);
    sources.insertBefore(
        "io.strowger.core.audit.AuditAction",
        "CONFIGURATION_RELOAD(",
        """
        NOTE_CREATE("note.create"),
        NOTE_UPDATE("note.update"),
        NOTE_DELETE("note.delete"),\
        """);
    sources.insertBefore(
        "io.strowger.core.administration.Workspaces",
        "writes.addAll(Destinations.removals(",
        "writes.addAll(new StoredNotes(watch, ambient).removals(id, actor));");
    String account = "io.strowger.core.administration.AccountState";
    sources.insertBefore(
        account, "private final ByokKeyRing ring;", "private final StoredNotes notes;");
    sources.insertBefore(
        account, "ring = new ByokKeyRing(", "notes = new StoredNotes(watch, ambient);");
    sources.insertBefore(
        account,
        "/** Returns the cipher for stored secrets. */",
        """
        public StoredNotes notes() {
          return notes;
        }
        """);
  }

  // Step 3: its operations, their paths, a ResourceService.Resource like ByokService, and its line
  // in HttpApi
  private static void addOperations(SourceEdits sources) throws IOException {
    sources.insertBefore(
        "io.strowger.core.http.Operation",
        "LIST_AUDIT_LOG(",
        """
        CREATE_NOTE(KeyRequirement.MANAGEMENT),
        LIST_NOTES(KeyRequirement.MANAGEMENT),
        GET_NOTE(KeyRequirement.MANAGEMENT),
        UPDATE_NOTE(KeyRequirement.MANAGEMENT),
        DELETE_NOTE(KeyRequirement.MANAGEMENT),
        """);
    sources.insertBefore(
        "io.strowger.core.http.Routes",
        "route(\"/credits\")",
        """
        route("/notes").get(Operation.LIST_NOTES).post(Operation.CREATE_NOTE);
        route("/notes/*")
            .get(Operation.GET_NOTE)
            .patch(Operation.UPDATE_NOTE)
            .delete(Operation.DELETE_NOTE);\
        """);
    sources.add(
        "io.strowger.core.http.NoteService",
        """
        package io.strowger.core.http;

        import io.strowger.core.administration.StoredNotes;
        import io.strowger.core.audit.AuditActor;
        import io.strowger.core.decode.Problems;
        import io.strowger.core.resource.NoteTable;
        import io.strowger.core.resource.Queries.PageRequest;
        import io.strowger.core.resource.ResourceType;
        import io.strowger.core.resource.ResourceType.Values;
        import io.strowger.spi.json.Json;
        import io.strowger.spi.store.Document;
        import io.strowger.spi.store.DocumentStore;
        import java.util.Map;
        import org.jspecify.annotations.Nullable;

        record NoteService(ServiceContext context) implements ResourceService.Resource {
          Map<Operation, OperationHandler> operations() {
            return new ResourceService(this, context)
                .operations(
                    Operation.CREATE_NOTE,
                    Operation.LIST_NOTES,
                    Operation.GET_NOTE,
                    Operation.UPDATE_NOTE,
                    Operation.DELETE_NOTE);
          }

          @Override
          public ResourceType type() {
            return NoteTable.TYPE;
          }

          @Override
          public Document create(Json.Obj body, Problems problems, AuditActor by) {
            Values asked = NoteTable.TYPE.create(body, problems);
            String workspace = context.workspaceInBody(body, problems);
            return notes().create(problems.requireValid(asked), workspace, by);
          }

          @Override
          public DocumentStore.Page list(@Nullable String workspace, PageRequest page) {
            return notes().list(workspace, page.offset(), page.limit());
          }

          @Override
          public @Nullable Document find(String id) {
            return notes().find(id);
          }

          @Override
          public @Nullable Document update(
              @Nullable String id, Json.Obj body, Problems problems, AuditActor by) {
            Values change = problems.requireValid(NoteTable.TYPE.update(body, problems));
            return id == null ? null : notes().update(id, change, by);
          }

          @Override
          public boolean delete(String id, AuditActor by) {
            return notes().delete(id, by);
          }

          private StoredNotes notes() {
            return context.account().notes();
          }
        }
        """);
    sources.insertBefore(
        "io.strowger.core.http.HttpApi",
        "operations.putAll(new WorkspaceService(",
        "operations.putAll(new NoteService(context).operations());");
  }

  @Test
  @Tag("full")
  @DisplayName(
      "adds a resource that is created, read, changed, validated, removed, and in the audit log")
  void effect() throws Exception {
    List<String> results = editedSources().run(NoteRequests.class);
    // Step 4: answers, problems and audit entries, which ResourceAnswersTest would compare byte for
    // byte; Targets would have its table
    assertThat(results.get(0))
        .startsWith("201 ")
        .contains("\"text\":\"Hello\",\"pinned\":false,\"workspace_id\":\"", "\"updated_at\":null");
    assertThat(results.get(1)).startsWith("200 ").contains("\"text\":\"Hello\"");
    assertThat(results.get(2)).startsWith("200 ").contains("\"text\":\"Hello\"");
    assertThat(results.get(3))
        .startsWith("200 ")
        .contains("\"text\":\"Hello\",\"pinned\":true,")
        .doesNotContain("\"updated_at\":null");
    assertThat(results.get(4))
        .startsWith("400 ")
        .contains("{\"pointer\":\"/text\",\"allowed\":\"must be a string of 1 to 20 characters\"")
        .contains("{\"pointer\":\"/pinned\",\"allowed\":\"must be true or false\"");
    assertThat(results.get(5)).startsWith("400 ").contains("\"pointer\":\"/text\"", "is required");
    assertThat(results.get(6)).startsWith("200 ");
    assertThat(results.get(7)).startsWith("404 ");
    assertThat(results.get(8))
        .contains(
            "note.create {\"type\":\"note\"", "note.update {\"type\":\"note\"", "note.delete {")
        .contains("[{\"member\":\"pinned\",\"from\":false,\"to\":true}]");
    // Step 5: a key without permission is refused, as WorkspaceIsolationTest tries with the rows of
    // TwoWorkspaces; AuditedOperationsTest would check the log; a note is removed with its
    // workspace
    assertThat(results.get(9)).startsWith("403 ");
    assertThat(results.get(10)).startsWith("201 ");
    assertThat(results.get(11)).startsWith("200 ").contains("\"data\":[]").doesNotContain("Hello");
    assertThat(results.get(12)).startsWith("200 ");
    assertThat(results.get(13)).startsWith("404 ");
  }

  @Test
  @DisplayName("edits sources at places that exist exactly once")
  void places() throws IOException {
    assertThat(editedSources()).isNotNull();
  }

  /** Sends requests about notes, and returns their answers. */
  static final class NoteRequests implements Callable<List<String>> {
    private static final String ADMIN = "sk-admin-0123456789abcdef0123456789abcdef";
    private static final String APP = "sk-app-0123456789abcdef0123456789abcdef";
    private static final String CONFIG =
        """
        { "providers": [ { "slug": "alpha", "protocol": "openai-chat",
                           "base_url": "https://alpha.example/v1" } ],
          "models": [ { "id": "acme/large", "endpoints": [ { "provider": "alpha" } ] } ],
          "keys": [ { "name": "admin", "key": "%s", "management": true },
                    { "name": "app", "key": "%s" } ] }
        """;

    private final JacksonCodec codec = new JacksonCodec();
    private final List<String> results = new ArrayList<>();

    @Override
    public List<String> call() throws Exception {
      var config =
          new ConfigReader(codec, name -> null)
              .read(CONFIG.formatted(ADMIN, APP).getBytes(StandardCharsets.UTF_8))
              .orThrow();
      try (Gateway gateway = Gateway.builder(config).provider(new OpenAiChatFactory()).build()) {
        String note = "/notes/" + id(ask(gateway, ADMIN, "POST /notes {'text':'Hello'}"));
        ask(gateway, ADMIN, "GET " + note);
        ask(gateway, ADMIN, "GET /notes");
        ask(gateway, ADMIN, "PATCH " + note + " {'pinned':true}");
        ask(gateway, ADMIN, "PATCH " + note + " {'text':'','pinned':'yes'}");
        ask(gateway, ADMIN, "POST /notes {}");
        ask(gateway, ADMIN, "DELETE " + note);
        ask(gateway, ADMIN, "GET " + note);
        summarizeEntries(ask(gateway, ADMIN, "GET /audit-log"));
        inOtherWorkspace(gateway);
      }
      return results;
    }

    private void inOtherWorkspace(Gateway gateway) throws Exception {
      ask(gateway, APP, "GET /notes");
      Json.Obj workspace = ask(gateway, ADMIN, "POST /workspaces {'name':'Lab','slug':'lab'}");
      results.removeLast();
      String body = " {'text':'Hello','workspace_id':'%s'}".formatted(id(workspace));
      String note = "/notes/" + id(ask(gateway, ADMIN, "POST /notes" + body));
      ask(gateway, ADMIN, "GET /notes?workspace_id=00000000-0000-4000-8000-000000000001");
      ask(gateway, ADMIN, "DELETE /workspaces/" + id(workspace));
      ask(gateway, ADMIN, "GET " + note);
    }

    private static String id(Json.Obj answer) {
      Json.Obj data = Objects.requireNonNull(answer.object("data"), answer::toString);
      return Objects.requireNonNull(data.text("id"), answer::toString);
    }

    /** Replaces the last answer, an audit log, by the actions and the changes of its entries. */
    private void summarizeEntries(Json.Obj log) {
      var entries = new StringBuilder();
      for (Json entry : Objects.requireNonNull(log.list("data"), log::toString)) {
        Json.Obj one = (Json.Obj) entry;
        String entryText =
            one.text("action") + " " + one.get("resource") + " " + one.get("changes");
        entries.append(entryText).append('\n');
      }
      results.set(results.size() - 1, entries.toString());
    }

    /**
     * Sends a request, and adds the status and the body of the answer to the results.
     *
     * @param request the method, the path and, if there is one, the body, with single quotes
     */
    private Json.Obj ask(Gateway gateway, String key, String request) throws Exception {
      String[] words = request.split(" ", 3);
      String[] address = words[1].split("\\?", 2);
      byte[] body =
          (words.length > 2 ? words[2].replace('\'', '"') : "").getBytes(StandardCharsets.UTF_8);
      WireResponse response =
          gateway
              .wire()
              .handle(
                  new WireRequest(
                      words[0],
                      address[0],
                      address.length > 1 ? address[1] : "",
                      Map.of("Authorization", "Bearer " + key)::get,
                      new ByteArrayInputStream(body),
                      new Cancellation()));
      var out = new ByteArrayOutputStream();
      try (WireBody answer = response.body()) {
        answer.transferTo(out);
      }
      results.add(response.status() + " " + out.toString(StandardCharsets.UTF_8));
      return (Json.Obj) codec.parse(out.toByteArray());
    }
  }
}
