package io.strowger.core.destination;

import io.strowger.core.ambient.Uuids;
import io.strowger.core.audit.AuditAction;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.audit.AuditLog;
import io.strowger.core.resource.DestinationCreate;
import io.strowger.core.resource.DestinationTable;
import io.strowger.core.resource.DestinationType;
import io.strowger.core.resource.ResourceType;
import io.strowger.core.secret.SecretCipher;
import io.strowger.core.secret.SecretKeyException;
import io.strowger.core.store.DocumentRepository;
import io.strowger.core.store.StoreWatch;
import io.strowger.core.store.WorkspaceGuard;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.DocumentStore.Write;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Creates, lists, changes and deletes observability destinations. Their configs are encrypted
 * before they are stored. A deleted destination stays as a hidden document without config, so that
 * the audit log can still refer to it. Safe on any thread; every method may throw {@link
 * io.strowger.spi.store.StoreUnavailableException}. Contract: "Observability destination";
 * resources fact sheet, section 5.
 */
public final class Destinations {
  static final String KIND = "destination";

  /** The most destinations of one type in one workspace. Resources fact sheet, section 5. */
  public static final int MAX_PER_TYPE = 5;

  /**
   * The kind of the documents that mark a slot of a type in a workspace as taken, so that several
   * nodes together never create too many destinations.
   */
  private static final String SLOT_KIND = "destination-slot";

  /** The most tries of an optimistic write; more conflicts than that mean a defect. */
  private static final int MAX_TRIES = 1_000;

  private static final ResourceType TYPE = DestinationTable.TYPE;

  private final StoreWatch watch;
  private final DocumentRepository repository;
  private final DocumentRepository slots;
  private final WorkspaceGuard workspaceGuard;
  private final SecretCipher cipher;
  private final Exporters exporters;
  private final JsonCodec codec;
  private final Ambient ambient;
  private final AuditLog audit;

  /**
   * @param cipher encrypts configs
   * @param exporters creates the exporters, and says which types have one
   * @param codec reads configs that were decrypted
   */
  public Destinations(
      StoreWatch watch,
      SecretCipher cipher,
      Exporters exporters,
      JsonCodec codec,
      Ambient ambient) {
    this.watch = Objects.requireNonNull(watch, "watch");
    this.repository = new DocumentRepository(watch, KIND, ambient);
    this.slots = new DocumentRepository(watch, SLOT_KIND, ambient);
    this.workspaceGuard = new WorkspaceGuard(watch, ambient);
    this.cipher = Objects.requireNonNull(cipher, "cipher");
    this.exporters = Objects.requireNonNull(exporters, "exporters");
    this.codec = Objects.requireNonNull(codec, "codec");
    this.ambient = Objects.requireNonNull(ambient, "ambient");
    this.audit = new AuditLog(ambient);
  }

  /**
   * Creates a destination.
   *
   * @param workspace the id of the workspace
   * @param actor the actor, for the audit log
   * @throws GatewayException 400 when its type has no exporter, when its config cannot be used,
   *     when there is no key to encrypt it or when the workspace was deleted meanwhile; 409 when
   *     the workspace has {@value #MAX_PER_TYPE} of its type
   */
  public Document create(DestinationCreate request, String workspace, AuditActor actor) {
    reject(
        request.type().unknownMasks(request.config(), Json.Obj.EMPTY),
        "must be the secret itself, not its masked form");
    requireExporter(request.type(), request.config());
    String id = Uuids.next(ambient).toString();
    String encryptedConfig = encrypt(request.config(), id);
    for (int slot = 1; slot <= MAX_PER_TYPE; slot++) {
      if (slots.find(slot(workspace, request.type().name(), slot)) != null) {
        continue;
      }
      Document document =
          repository.newDocument(id, workspace, body(request, encryptedConfig, slot));
      List<Write> writes =
          List.of(
              new Write.Insert(document),
              new Write.Insert(
                  slots.newDocument(
                      slot(workspace, request.type().name(), slot), workspace, Json.Obj.EMPTY)),
              audit.entry(actor, AuditAction.DESTINATION_CREATE, TYPE, null, document));
      if (workspaceGuard.writeWithin(workspace, writes)) {
        return document;
      }
    }
    throw GatewayError.of(
            ErrorCode.CONFLICT,
            "The workspace has %d destinations of type %s, which is the most there can be: delete one"
                .formatted(MAX_PER_TYPE, request.type().name()))
        .toException();
  }

  private static Json.Obj body(DestinationCreate request, String encryptedConfig, int slot) {
    return TYPE.body(
        request
            .values()
            .with(DestinationTable.SLOT, Json.of(slot))
            .with("config", request.type().mask(request.config()))
            .with(ResourceType.SEALED, Json.of(encryptedConfig)));
  }

  private static String slot(String workspace, String type, long number) {
    return workspace + "/" + type + "/" + number;
  }

  private static void reject(List<JsonPointer> places, String reason) {
    if (!places.isEmpty()) {
      throw GatewayError.of(
              ErrorCode.INVALID_REQUEST,
              places.stream().map(place -> new Problem(place, reason, "")).toList())
          .toException();
    }
  }

  /** Rejects a destination that could not be delivered to. */
  private void requireExporter(DestinationType type, Json.Obj config) {
    String problem = exporters.problem(type, config);
    if (problem != null) {
      throw GatewayError.of(ErrorCode.INVALID_REQUEST, "The destination cannot be used: " + problem)
          .toException();
    }
  }

  private String encrypt(Json.Obj config, String id) {
    try {
      String text = new String(config.toBytes(), StandardCharsets.UTF_8);
      return cipher.seal(new Credential(text), encryptionContext(id));
    } catch (SecretKeyException e) {
      throw configFailure(e);
    }
  }

  private static GatewayException configFailure(SecretKeyException cause) {
    return GatewayError.of(
            ErrorCode.INVALID_REQUEST,
            "The config cannot be encrypted or decrypted: " + cause.getMessage())
        .toException();
  }

  /** Returns the context that a destination's encrypted config is bound to. */
  private static String encryptionContext(String id) {
    return KIND + "/" + id;
  }

  /**
   * Returns the whole config of a destination.
   *
   * @throws SecretKeyException when it cannot be decrypted
   */
  Json.Obj config(Document document) throws SecretKeyException {
    String encryptedConfig =
        Objects.requireNonNullElse(document.body().text(ResourceType.SEALED), "");
    String text = cipher.open(encryptedConfig, encryptionContext(document.id())).reveal();
    try {
      if (codec.parse(text.getBytes(StandardCharsets.UTF_8)) instanceof Json.Obj config) {
        return config;
      }
    } catch (JsonCodec.MalformedJsonException impossible) {
      throw new IllegalStateException("an encrypted config is not valid JSON", impossible);
    }
    throw new IllegalStateException("an encrypted config is not a JSON object");
  }

  private static DestinationType type(Document document) {
    return Objects.requireNonNull(Destination.readOrNull(document), "it was written here").type();
  }

  /** Returns the document of a destination; null when there is none or it was deleted. */
  private @Nullable Document findLive(String id) {
    Document document = repository.find(id);
    return document == null || document.hidden() ? null : document;
  }

  /** Returns a destination; null when there is none, or none that this version can read. */
  public @Nullable Document find(String id) {
    Document document = findLive(id);
    return document == null || Destination.readOrNull(document) == null ? null : document;
  }

  /**
   * Returns a page of the destinations, the newest first.
   *
   * @param workspace the id of a workspace; null for all
   */
  public DocumentStore.Page list(@Nullable String workspace, long offset, int limit) {
    DocumentStore.Page page =
        repository.list(workspace, false, DocumentStore.Order.NEWEST_FIRST, offset, limit);
    return new DocumentStore.Page(
        page.documents().stream()
            .filter(document -> Destination.readOrNull(document) != null)
            .toList(),
        page.total());
  }

  /**
   * Changes a destination.
   *
   * @return the changed destination; null when there is none
   * @throws GatewayException 400 when its config cannot be used any more, or cannot be read or
   *     encrypted
   */
  public @Nullable Document update(String id, DestinationTable.Change change, AuditActor actor) {
    Document updated =
        repository.change(
            id,
            (current, at) ->
                current.hidden() ? current : current.next(at, applyChange(current, change)),
            (current, next) ->
                audit.entry(
                    actor,
                    AuditAction.DESTINATION_UPDATE,
                    TYPE,
                    current,
                    Objects.requireNonNull(next, "an update removes nothing")));
    return updated == null || updated.hidden() ? null : updated;
  }

  private Json.Obj applyChange(Document current, DestinationTable.Change change) {
    Json.Obj body = TYPE.applyTo(current.body(), change.values());
    return change.config().size() == 0
        ? body
        : withConfig(body, current, type(current), change.config());
  }

  private Json.Obj withConfig(
      Json.Obj body, Document current, DestinationType type, Json.Obj changes) {
    Json.Obj config;
    try {
      config = config(current);
    } catch (SecretKeyException e) {
      throw configFailure(e);
    }
    reject(type.unknownMasks(changes, config), "must be the secret itself, not its masked form");
    reject(
        type.secretsToRepeat(config, changes),
        "must be given again, since the change leads to another host");
    Json.Obj merged = type.merge(config, changes);
    if (merged.equals(config)) {
      return body;
    }
    requireExporter(type, merged);
    return body.with("config", type.mask(merged))
        .with(ResourceType.SEALED, Json.of(encrypt(merged, current.id())));
  }

  /** Returns the body that a deleted destination keeps: no secret and no rule. */
  private static Json.Obj tombstoneBody(Json.Obj body) {
    return Json.object()
        .put("name", Objects.requireNonNullElse(body.text("name"), ""))
        .put("type", Objects.requireNonNullElse(body.text("type"), ""))
        .build();
  }

  /** Deletes a destination, and returns false when there is none. */
  public boolean delete(String id, AuditActor actor) {
    for (int i = 0; i < MAX_TRIES; i++) {
      Document current = findLive(id);
      if (current == null) {
        return false;
      }
      Document tombstone =
          current.next(repository.now(), tombstoneBody(current.body())).withHidden(true);
      var writes = new ArrayList<Write>();
      writes.add(new Write.Replace(tombstone));
      writes.add(freeSlot(current));
      writes.add(audit.removal(actor, AuditAction.DESTINATION_DELETE, current));
      if (watch.write(writes)) {
        return true;
      }
    }
    throw GatewayError.of(ErrorCode.CONFLICT).toException();
  }

  private static Write freeSlot(Document destination) {
    Json.Obj body = destination.body();
    String type = Objects.requireNonNullElse(body.text("type"), "");
    return new Write.Remove(
        SLOT_KIND, slot(destination.group(), type, body.longValue(DestinationTable.SLOT, 0)), 1);
  }

  /**
   * Returns the writes that delete all destinations of a workspace together with it.
   *
   * @param actor the actor who deletes the workspace, for the audit log
   */
  public static List<Write> removals(
      StoreWatch watch, Ambient ambient, String workspace, AuditActor actor) {
    var audit = new AuditLog(ambient);
    var writes = new ArrayList<Write>();
    for (Document document : new DocumentRepository(watch, KIND, ambient).findAll(workspace)) {
      writes.add(new Write.Remove(KIND, document.id(), document.version()));
      if (!document.hidden()) {
        writes.add(freeSlot(document));
        writes.add(audit.removal(actor, AuditAction.DESTINATION_DELETE, document));
      }
    }
    return writes;
  }

  /** Returns the documents of all destinations, including deleted ones. */
  List<Document> documents() {
    return repository.findAll(null);
  }

  /** Returns the document of a destination, even a deleted one; null when there is none. */
  @Nullable Document document(String id) {
    return repository.find(id);
  }

  /**
   * Creates the exporter of a destination.
   *
   * @throws IllegalArgumentException when there is none for its type, or its config cannot be used
   */
  DestinationExporter exporter(DestinationType type, Json.Obj config) {
    return exporters.create(type, config);
  }
}
