/**
 * Tests of the package of the same name, with a dialect that says next to nothing. A canned
 * transport plays the upstream; tests of the dialects use it too.
 */
@NullMarked
package io.strowger.providers.upstream;

import org.jspecify.annotations.NullMarked;
