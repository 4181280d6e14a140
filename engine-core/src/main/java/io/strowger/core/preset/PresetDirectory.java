package io.strowger.core.preset;

import io.strowger.core.ambient.Uuids;
import io.strowger.core.audit.AuditAction;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.audit.AuditChanges;
import io.strowger.core.audit.AuditLog;
import io.strowger.core.preset.SavedPreset.PresetKey;
import io.strowger.core.resource.NewPreset;
import io.strowger.core.store.DocumentCache;
import io.strowger.core.store.DocumentRepository;
import io.strowger.core.store.StoreWatch;
import io.strowger.core.store.WorkspaceGuard;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.DocumentStore.Write;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps presets and their versions in a store. Contract: "Preset", "PresetVersion"; resources fact
 * sheet, section 2.
 *
 * <p>A preset and its new version are written together or not at all, and only if the preset did
 * not change since it was read: of concurrent writers one wins, the others get a conflict, and
 * version numbers have no gaps. Inference reads presets from a cache; what another node wrote is
 * seen within {@link StoreWatch#POLL_INTERVAL}.
 *
 * <p>Safe on any thread. Every method may throw {@link
 * io.strowger.spi.store.StoreUnavailableException}.
 */
public final class PresetDirectory implements Presets {
  /** The document kind of presets, whose group is the workspace. */
  static final String PRESET = "preset";

  /** The document kind of versions, whose group is the id of the preset's document. */
  static final String VERSION = "preset_version";

  private static final int MAX_CACHED = 10_000;

  private final StoreWatch watch;
  private final WorkspaceGuard workspaceGuard;
  private final Ambient ambient;
  private final DocumentRepository presets;
  private final DocumentRepository versions;
  private final DocumentCache<SavedPreset> cache;
  private final AuditLog audit;

  public PresetDirectory(StoreWatch watch, Ambient ambient) {
    this.watch = Objects.requireNonNull(watch, "watch");
    this.workspaceGuard = new WorkspaceGuard(watch, ambient);
    this.ambient = Objects.requireNonNull(ambient, "ambient");
    this.presets = new DocumentRepository(watch, PRESET, ambient);
    this.versions = new DocumentRepository(watch, VERSION, ambient);
    this.audit = new AuditLog(ambient);
    this.cache = watch.newCache(PRESET, PresetDirectory::read, MAX_CACHED);
  }

  /**
   * One page of a list.
   *
   * @param total how many items the whole list has
   */
  public record ListPage<T>(List<T> items, long total) {
    public ListPage {
      items = List.copyOf(items);
    }
  }

  @Override
  public @Nullable Preset findActive(String workspace, String slug) {
    SavedPreset found = cache.find(new PresetKey(workspace, slug).documentId());
    return found == null ? null : found.toActivePreset();
  }

  /**
   * Creates a preset, or a new version of one, which inference uses from now on. The status of an
   * existing preset does not change.
   *
   * @param actor who asks
   * @throws io.strowger.spi.error.GatewayException 409 when somebody else wrote it meanwhile
   */
  public SavedPreset create(String workspace, AuditActor actor, NewPreset creation) {
    var presetKey = new PresetKey(workspace, creation.slug());
    Document current = presets.find(presetKey.documentId());
    return current == null
        ? createFirst(presetKey, actor, creation)
        : createNext(current, actor, creation);
  }

  /** Returns the audit entry, without the preset's content, which may be private. */
  private Write auditEntry(
      AuditActor actor, AuditAction action, SavedPreset preset, AuditChanges auditChanges) {
    return audit.entry(actor, action, subject(preset.key()), auditChanges);
  }

  private static AuditLog.Subject subject(PresetKey presetKey) {
    return new AuditLog.Subject(presetKey.slug(), presetKey.slug(), presetKey.workspace());
  }

  /** Returns the writes that remove a workspace's presets together with it. */
  public static List<Write> removals(
      StoreWatch watch, Ambient ambient, String workspace, AuditActor actor) {
    var audit = new AuditLog(ambient);
    var versions = new DocumentRepository(watch, VERSION, ambient);
    var writes = new ArrayList<Write>();
    for (Document preset : new DocumentRepository(watch, PRESET, ambient).findAll(workspace)) {
      writes.add(new Write.Remove(PRESET, preset.id(), preset.version()));
      for (Document version : versions.findAll(preset.id())) {
        writes.add(new Write.Remove(VERSION, version.id(), version.version()));
      }
      AuditLog.Subject subject = subject(read(preset).key());
      writes.add(audit.entry(actor, AuditAction.PRESET_DELETE, subject, AuditChanges.NONE));
    }
    return writes;
  }

  private SavedPreset createFirst(PresetKey presetKey, AuditActor actor, NewPreset creation) {
    String creator = actor.creator();
    String id = Uuids.next(ambient).toString();
    Instant at = presets.now();
    PresetVersion version = version(id, 1, creation, creator, at);
    var preset =
        new SavedPreset(id, presetKey, PresetStatus.ACTIVE, null, at, at, creator, version);
    Document document =
        Document.create(PRESET, presetKey.documentId(), presetKey.workspace(), at, preset.toJson());
    AuditChanges auditChanges = AuditChanges.NONE.and("version", Json.NULL, Json.of(1));
    requireWritten(
        workspaceGuard.writeWithin(
            presetKey.workspace(),
            List.of(
                new Write.Insert(document),
                insert(presetKey, version),
                auditEntry(actor, AuditAction.PRESET_CREATE, preset, auditChanges))));
    return preset;
  }

  private SavedPreset createNext(Document current, AuditActor actor, NewPreset creation) {
    String creator = actor.creator();
    SavedPreset previous = read(current);
    Instant at = nextChangeTime(previous);
    int number = previous.designatedVersion().number() + 1;
    PresetVersion version = version(previous.id(), number, creation, creator, at);
    SavedPreset preset = previous.withVersion(version);
    Document document = current.next(at, preset.toJson());
    AuditChanges auditChanges =
        AuditChanges.NONE.and("version", Json.of(number - 1), Json.of(number));
    requireWritten(
        watch.write(
            List.of(
                new Write.Replace(document),
                insert(previous.key(), version),
                auditEntry(actor, AuditAction.PRESET_UPDATE, preset, auditChanges))));
    return preset;
  }

  /**
   * Returns the time of the next change: now, but later than the previous change, so that times
   * have the order of the versions even when the clocks of nodes differ.
   */
  private Instant nextChangeTime(SavedPreset previous) {
    Instant currentTime = presets.now();
    Instant earliest = previous.updatedAt().plus(1, ChronoUnit.MICROS);
    return currentTime.isBefore(earliest) ? earliest : currentTime;
  }

  private PresetVersion version(
      String presetId, int number, NewPreset creation, String creator, Instant at) {
    return new PresetVersion(
        Uuids.next(ambient).toString(),
        presetId,
        number,
        creation.config(),
        creation.systemPrompt(),
        creator,
        at);
  }

  private static Write insert(PresetKey presetKey, PresetVersion version) {
    return new Write.Insert(
        Document.create(
            VERSION,
            versionKey(presetKey, version.number()),
            presetKey.documentId(),
            version.createdAt(),
            version.toJson()));
  }

  private static String versionKey(PresetKey presetKey, int number) {
    return presetKey.documentId() + '/' + number;
  }

  private static void requireWritten(boolean written) {
    if (!written) {
      throw GatewayError.of(ErrorCode.CONFLICT).toException();
    }
  }

  /**
   * Sets the status of a preset.
   *
   * @param actor who asks
   * @return null when there is no such preset
   * @throws io.strowger.spi.error.GatewayException 409 when somebody else wrote it meanwhile
   */
  public @Nullable SavedPreset setStatus(
      String workspace, String slug, PresetStatus status, AuditActor actor) {
    var presetKey = new PresetKey(workspace, slug);
    Document current = presets.find(presetKey.documentId());
    if (current == null) {
      return null;
    }
    SavedPreset previous = read(current);
    Instant at = nextChangeTime(previous);
    SavedPreset preset = previous.withStatus(status, at);
    AuditChanges auditChanges =
        AuditChanges.NONE.and(
            "status", Json.of(previous.status().wireName()), Json.of(status.wireName()));
    requireWritten(
        watch.write(
            List.of(
                new Write.Replace(current.next(at, preset.toJson())),
                auditEntry(actor, AuditAction.PRESET_UPDATE, preset, auditChanges))));
    return preset;
  }

  /** Returns a preset of any status; null when there is no such preset. */
  public @Nullable SavedPreset find(String workspace, String slug) {
    Document found = presets.find(new PresetKey(workspace, slug).documentId());
    return found == null ? null : read(found);
  }

  /**
   * Returns the presets of a workspace, the last changed first.
   *
   * @param offset at least 0
   * @param limit 1 to 1000
   */
  public ListPage<SavedPreset> list(String workspace, long offset, int limit) {
    DocumentStore.Page page =
        presets.list(workspace, false, DocumentStore.Order.LAST_UPDATED_FIRST, offset, limit);
    return new ListPage<>(
        page.documents().stream().map(PresetDirectory::read).toList(), page.total());
  }

  /**
   * Returns the versions of a preset, the latest first.
   *
   * @return null when there is no such preset
   */
  public @Nullable ListPage<PresetVersion> versions(
      String workspace, String slug, long offset, int limit) {
    String key = new PresetKey(workspace, slug).documentId();
    DocumentStore.Page page =
        versions.list(key, false, DocumentStore.Order.NEWEST_FIRST, offset, limit);
    return page.total() == 0
        ? null
        : new ListPage<>(
            page.documents().stream().map(found -> PresetVersion.of(found.body())).toList(),
            page.total());
  }

  /** Returns a version of a preset; null when there is no such preset or version. */
  public @Nullable PresetVersion version(String workspace, String slug, int number) {
    Document found = versions.find(versionKey(new PresetKey(workspace, slug), number));
    return found == null ? null : PresetVersion.of(found.body());
  }

  private static SavedPreset read(Document document) {
    return SavedPreset.of(document.body());
  }
}
