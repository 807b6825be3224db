//! File systems on which other machines write.

use std::path::Path;

/// The kind of file system, where changes by other machines are not announced.
#[cfg(target_os = "linux")]
pub(crate) fn network(path: &Path) -> Option<&'static str> {
    Some(match u32::try_from(rustix::fs::statfs(path).ok()?.f_type & 0xffff_ffff).ok()? {
        0x6969 => "NFS",
        0x517b | 0xff53_4d42 | 0xfe53_4d42 => "SMB",
        0x0102_1997 => "9P",
        0x6573_5546 => "FUSE",
        0x00c3_6400 => "Ceph",
        0x5346_414f | 0x6b41_4653 => "AFS",
        0x786f_4256 => "a VirtualBox folder",
        _ => return None,
    })
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn network(_: &Path) -> Option<&'static str> {
    None
}
