//! Peak memory of this process, from Linux's `/proc`.
//!
//! The peak is of the whole process, so measure one thing at a time: [`reset_peak`], run, then
//! [`peak_rss_bytes`]. Memory that an allocator keeps from earlier work counts; for a clean number
//! run the work in a process of its own.

use std::{fs, io};

/// The largest resident set since the process began or [`reset_peak`] was last called.
pub fn peak_rss_bytes() -> io::Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    parse_peak(&status)
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "no VmHWM in /proc/self/status"))
}

/// Sets the peak back to the present resident set.
pub fn reset_peak() -> io::Result<()> {
    fs::write("/proc/self/clear_refs", "5")
}

fn parse_peak(status: &str) -> Option<u64> {
    let value = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_kernels_format() {
        assert_eq!(
            parse_peak("VmPeak:\t 9 kB\nVmHWM:\t    1234 kB\n"),
            Some(1234 * 1024)
        );
        assert_eq!(parse_peak("VmPeak:\t 9 kB\n"), None);
        assert_eq!(parse_peak("VmHWM: many\n"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_allocation_shows_and_a_reset_forgets_it() {
        const SIZE: usize = 64 << 20;
        let before = peak_rss_bytes().unwrap();
        let block = std::hint::black_box(vec![1_u8; SIZE]);
        let during = peak_rss_bytes().unwrap();
        drop(block);
        assert!(during >= before + SIZE as u64 / 2);
        // Some containers do not let a process clear its own marks.
        if reset_peak().is_ok() {
            assert!(peak_rss_bytes().unwrap() < during);
        }
    }
}
