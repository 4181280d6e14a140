package io.strowger.stores.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes files of mode 0600 and directories of mode 0700. The mode is given when they are made, so
 * there is no moment in which others could open them. Where a file system knows no POSIX
 * permissions, its own rules hold.
 */
public final class OwnerOnlyFiles {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerOnlyFiles.class);

  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");

  private OwnerOnlyFiles() {}

  /** What to create a file with. */
  public static FileAttribute<?>[] file(Path path) {
    return attributes(path, FILE);
  }

  private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> mode) {
    return knowsPermissions(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(mode)}
        : new FileAttribute<?>[0];
  }

  private static boolean knowsPermissions(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /**
   * Makes a directory and those it lies in, as far as they are not there.
   *
   * @throws FileAlreadyExistsException when there is a file in the way
   */
  public static void createDirectories(Path directory) throws IOException {
    Files.createDirectories(directory, attributes(directory, DIRECTORY));
  }

  /** Makes an empty file for a program that would make it readable to others; or leaves it. */
  public static void createFile(Path file) throws IOException {
    try {
      Files.createFile(file, file(file));
    } catch (FileAlreadyExistsException there) {
      // it keeps what is in it
    }
  }

  /**
   * Takes a file or directory that this program made, perhaps an earlier version of it, away from
   * everybody but its owner. When that is not allowed, the log says so and nothing else happens.
   */
  public static void restrictToOwner(Path ours) {
    try {
      Set<PosixFilePermission> loose = othersMay(ours);
      if (!loose.isEmpty()) {
        Files.setPosixFilePermissions(ours, Files.isDirectory(ours) ? DIRECTORY : FILE);
        LOG.info("{} could be opened by others, and only by its owner from now on", ours);
      }
    } catch (IOException e) {
      LOG.warn("{} can be opened by others, and that cannot be changed: {}", ours, e.toString());
    }
  }

  /** Says in the log that others can look into a directory which somebody else may have made. */
  public static void warn(Path directory) {
    try {
      if (!othersMay(directory).isEmpty()) {
        LOG.warn(
            "others can look into the data directory {}: chmod 700 it unless that is meant",
            directory);
      }
    } catch (IOException e) {
      LOG.debug("the permissions of {} cannot be read", directory, e);
    }
  }

  /** What group and others may do; nothing where there are no such permissions, or no such file. */
  private static Set<PosixFilePermission> othersMay(Path path) throws IOException {
    if (!knowsPermissions(path) || Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
      return Set.of();
    }
    var view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    if (view == null) {
      return Set.of();
    }
    var loose = EnumSet.copyOf(DIRECTORY);
    loose.addAll(view.readAttributes().permissions());
    loose.removeAll(DIRECTORY);
    return loose;
  }
}
